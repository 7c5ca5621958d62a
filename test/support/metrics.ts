import type { MetricDefinition } from '@reeve/api/metrics/definitions'
import { readResult } from './program.ts'

/** The token of the metrics in tests. */
export const METRICS_TOKEN = 'a-token-of-some-length'
/** The setting for a server whose metrics a test reads. */
export const METRICS_ENV = { REEVE_METRICS_TOKEN: METRICS_TOKEN }

/** Reads the metrics of a server with `METRICS_ENV`. @throws Error unless the status is 200 */
export async function readServerMetrics(url: string, unix?: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    ...(unix !== undefined && { unix }),
  })
  if (response.status !== 200) throw new Error(`/metrics returned ${response.status}`)
  return response.text()
}

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
