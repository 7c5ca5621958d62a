import type { Measurement } from './measure.ts'

/** S10: the p99 of a ban check under load, relative to p99 without it. */
export const MAX_RATIO = 4
/** How long a waiting request may take to have a change, at p99, in milliseconds. */
export const MAX_WAKE_UP_MS = 200
/** The share of deliveries that must have been received when the load ends: otherwise they were sent at a lower rate. */
export const MIN_RECEIVED_SHARE = 0.95
/** A6, in bytes. */
export const MAX_MEMORY = 300 * 1024 * 1024

/** The bounds of a scenario. `load` is that the load took place. */
export type Bound = 'p99' | 'wake-up' | 'rejected' | 'memory' | 'connections' | 'received' | 'load'

export interface Verdict {
  readonly kept: boolean
  readonly missed: readonly Bound[]
}

/** The ban checks of all parts of a measurement. */
function countChecks({ idle, starting, loaded }: Measurement) {
  const parts = [idle, starting, loaded]
  return {
    checks: parts.reduce((sum, { checks }) => sum + checks, 0),
    rejected: parts.reduce((sum, { rejected }) => sum + rejected, 0),
  }
}

/** Compares a measurement with every bound. */
export function judge(measurement: Measurement): Verdict {
  const { ratio, maxRatio = MAX_RATIO, wakeUpP99 = 0, memory, failure } = measurement
  const {
    connectionMemory = 0,
    maxConnectionMemory = Number.POSITIVE_INFINITY,
    receivedShare = 1,
  } = measurement
  const withinBound: Readonly<Record<Bound, boolean>> = {
    p99: ratio <= maxRatio,
    'wake-up': wakeUpP99 <= MAX_WAKE_UP_MS,
    rejected: countChecks(measurement).rejected === 0,
    memory: memory.peak <= MAX_MEMORY,
    connections: connectionMemory <= maxConnectionMemory,
    received: receivedShare >= MIN_RECEIVED_SHARE,
    load: failure === null,
  }
  const missed = (Object.keys(withinBound) as Bound[]).filter((bound) => !withinBound[bound])
  return { kept: missed.length === 0, missed }
}

const formatMs = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0)
const formatMiB = (bytes: number): string => String(Math.round(bytes / 1_048_576))

/** What the load did, and what its connections cost. */
function formatLoad({ work, failure, connectionMemory, maxConnectionMemory }: Measurement): string {
  if (failure !== null) return `failed: ${failure.split('\n')[0]}`
  if (connectionMemory === undefined) return work
  const bound = maxConnectionMemory === undefined ? '' : ` (≤ ${formatMiB(maxConnectionMemory)})`
  return `${work}; memory of its connections: ${formatMiB(connectionMemory)}${bound}`
}

function formatRow(measurement: Measurement): string {
  const { title, idle, starting, loaded, ratio, maxRatio, memory, diskGrowth } = measurement
  const { checks, rejected } = countChecks(measurement)
  const { kept, missed } = judge(measurement)
  const cells = [
    title,
    `${formatMs(idle.p99)} → ${formatMs(loaded.p99)} ms`,
    maxRatio === undefined ? ratio.toFixed(1) : `${ratio.toFixed(1)} (≤ ${maxRatio})`,
    `${formatMs(starting.p99)} ms`,
    `${rejected} of ${checks}`,
    `${formatMiB(memory.peak)} (${formatMiB(memory.withoutFiles)})`,
    formatMiB(diskGrowth),
    formatLoad(measurement),
    kept ? 'kept' : `**missed**: ${missed.join(', ')}`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** The measurements as a Markdown table. Sizes are in MiB. */
export const formatTable = (measurements: readonly Measurement[]): string =>
  [
    '| during | p99 of a ban check | ratio | p99 in the first seconds | rejected | memory (without files) | disk growth | load | |',
    '|---|---|---|---|---|---|---|---|---|',
    ...measurements.map(formatRow),
  ].join('\n')
