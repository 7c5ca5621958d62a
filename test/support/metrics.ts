import type { MetricDefinition } from '@reeve/api/metrics/definitions'
import { readResult } from './program.ts'

const PROMTOOL = '/usr/bin/promtool'

/** The value of a series such as `reeve_ready` or `reeve_writes{kind="a"}`; null if it does not exist. */
export function readSeries(text: string, series: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

/** The metrics in an exposition, by the names of their TYPE lines. */
export const listMetrics = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)

/** Runs `promtool`, part of Debian's package `prometheus`. */
export async function runPromtool(args: readonly string[], stdin = '') {
  const child = Bun.spawn([PROMTOOL, ...args], { stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' })
  const { out, err, exitCode } = await readResult(child)
  return { exitCode, output: (out + err).trim() }
}

/** The row of a metric in the reference of `docs/monitoring.md`. */
export const formatMetricRow = (name: string, { kind, labels, help, engine }: MetricDefinition): string => {
  const labelNames = labels.map((label) => `\`${label}\``).join(', ')
  const meaning = help.replaceAll(/(\/readyz)/g, '`$1`')
  return `| \`${name}\` | ${kind} | ${labelNames || '–'} | ${meaning}${engine ? ` (${engine} only)` : ''} |`
}
