import { type MetricDefinition, type MetricName, metricDefinitions } from './definitions.ts'
import type { Histogram } from './histogram.ts'

export type Labels = Readonly<Record<string, string>>

/** A value of a metric, or all values of a histogram. */
export interface Sample {
  readonly name: MetricName
  readonly value: number | Histogram
  readonly labels?: Labels
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats samples as text for Prometheus. A metric without samples is left out. */
export function formatMetrics(samples: readonly Sample[]): string {
  const lines: string[] = []
  for (const [name, ofMetric] of Map.groupBy(samples, (sample) => sample.name)) {
    const { kind, help }: MetricDefinition = metricDefinitions[name]
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\')}`, `# TYPE ${name} ${kind}`)
    for (const { labels = {}, value } of ofMetric) {
      if (typeof value === 'number') lines.push(formatLine(name, labels, value))
      else lines.push(...formatHistogram(name, labels, value))
    }
  }
  return `${lines.join('\n')}\n`
}

/** Buckets are cumulative in this format. */
function* formatHistogram(name: string, labels: Labels, { bounds, counts, sum }: Histogram) {
  let total = 0
  for (const [index, count] of counts.entries()) {
    total += count
    yield formatLine(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? '+Inf') }, total)
  }
  yield formatLine(`${name}_sum`, labels, sum)
  yield formatLine(`${name}_count`, labels, total)
}

function formatLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
