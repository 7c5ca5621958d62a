import { appendFileSync, closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs'
import { type Anchor, readAnchors } from '@reeve/audit'
import { HOUR_MS, type Ports } from '@reeve/core'
import { type Database, yieldToEventLoop } from '@reeve/db'
import type { Config } from '../settings.ts'
import type { Job } from './scheduler.ts'

/** How many chains a line names at most: a line of about 60 kB. */
const MAX_CHAINS = 500
const TIMEOUT_MS = 10_000

/** The last row of each chain, by the ID of its workspace or `instance`. */
export type AnchoredChains = Readonly<Record<string, Anchor>>

export interface AnchorLog {
  readonly onAnchors: (chains: AnchoredChains) => void
}

type AnchorConfig = Pick<Config, 'auditAnchorFile' | 'auditAnchorUrl'>

/**
 * Publishes the last row of every chain that has grown, once an hour: in the log, and in a file or at a URL if they are set. Each
 * process writes its own file; otherwise one process does it for all.
 */
export function createAuditAnchorJob(
  db: Database,
  ports: Pick<Ports, 'now'>,
  config: AnchorConfig,
  log: AnchorLog,
): Job {
  let known = new Map<string, number>()
  return {
    name: 'audit-anchors',
    intervalMs: HOUR_MS,
    runsOn: config.auditAnchorFile === null ? 'one' : 'each',
    startsAtOnce: true,
    async run(signal) {
      // What could not be published is published again.
      const published = new Map(known)
      for await (const chains of readInLines(db, published)) {
        if (signal.aborted) return
        log.onAnchors(chains)
        await publish(config, JSON.stringify({ time: new Date(ports.now()).toISOString(), chains }), signal)
      }
      known = published
    },
  }
}

/** The anchors of one line after the other. */
async function* readInLines(db: Database, known: Map<string, number>): AsyncGenerator<AnchoredChains> {
  let chains: Record<string, Anchor> = {}
  for await (const { chain, anchor } of readAnchors(db.read, known)) {
    chains[chain] = anchor
    if (Object.keys(chains).length < MAX_CHAINS) continue
    yield chains
    chains = {}
    await yieldToEventLoop()
  }
  if (Object.keys(chains).length > 0) yield chains
}

async function publish(
  { auditAnchorFile, auditAnchorUrl }: AnchorConfig,
  json: string,
  signal: AbortSignal,
): Promise<void> {
  if (auditAnchorFile !== null) appendLine(auditAnchorFile, json)
  if (auditAnchorUrl === null) return
  const response = await fetch(auditAnchorUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: json,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new Error(
      `the receiver of the audit anchors (REEVE_AUDIT_ANCHOR_URL) responded with status ${response.status}`,
    )
}

function appendLine(file: string, line: string): void {
  const descriptor = openSync(file, 'a+', 0o600)
  try {
    appendFileSync(descriptor, `${hasTornLine(descriptor) ? '\n' : ''}${line}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether the last line of a file was not written completely. */
function hasTornLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
}
