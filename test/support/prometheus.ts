import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@reeve/db/test-cluster'
import { waitUntilListening } from './listening.ts'
import { METRICS_TOKEN } from './metrics.ts'
import { ROOT } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PROMETHEUS = '/usr/bin/prometheus'

/** The folder of the example configuration, alert rules and dashboard. */
export const GRAFANA_FOLDER = join(ROOT, 'deploy/grafana')

/** A series of the result of a query. */
export interface QueryResult {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

export interface Prometheus {
  /** Evaluates an expression now. @throws Error that names it, if it is not valid */
  readonly query: (expression: string) => Promise<QueryResult[]>
  /** The names of the alerts whose expression is true at the moment. */
  readonly listAlerts: () => Promise<string[]>
  readonly stop: () => Promise<void>
}

/**
 * Starts Prometheus with the example configuration, changed only in its targets and intervals, and waits until it listens.
 * @param targets `host:port` of each process
 */
export async function startPrometheus(targets: readonly string[]): Promise<Prometheus> {
  const folder = temporaryFolder()
  const port = freePort()
  copyFileSync(join(GRAFANA_FOLDER, 'reeve-alerts.yaml'), join(folder.path, 'reeve-alerts.yaml'))
  writeFileSync(join(folder.path, 'reeve-metrics-token'), METRICS_TOKEN)
  const config = readFileSync(join(GRAFANA_FOLDER, 'prometheus.yml'), 'utf8')
    .replaceAll('_interval: 15s', '_interval: 250ms')
    .replace('- 127.0.0.1:3000', targets.map((target) => `- ${target}`).join('\n          '))
  writeFileSync(join(folder.path, 'prometheus.yml'), config)
  const child = Bun.spawn(
    [
      PROMETHEUS,
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder.path, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  await waitUntilListening('Prometheus', child, port)

  async function request(path: string) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    // Until it has read its storage, Prometheus responds with 503 and plain text.
    if (response.status === 503) return null
    // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of different shapes
    const body = (await response.json()) as any
    if (body.status !== 'success') throw new Error(`${decodeURIComponent(path)}: ${body.error}`)
    return body.data
  }

  return {
    async query(expression) {
      const data = await request(`query?query=${encodeURIComponent(expression)}`)
      const result: { metric: QueryResult['metric']; value: [number, string] }[] = data?.result ?? []
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
    },
    async listAlerts() {
      const data = await request('alerts')
      const alerts: { labels: { alertname: string } }[] = data?.alerts ?? []
      return [...new Set(alerts.map(({ labels }) => labels.alertname))]
    },
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      folder.remove()
    },
  }
}
