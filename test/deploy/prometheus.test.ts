import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricDefinitions } from '@reeve/api/metrics/definitions'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { INIT_ARGS } from '../program/commands.ts'
import { PASSWORD } from '../support/instance.ts'
import { listMetrics, METRICS_ENV, readServerMetrics, runPromtool } from '../support/metrics.ts'
import { startObjectStore } from '../support/object-store.ts'
import { pollUntil } from '../support/poll.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { GRAFANA_FOLDER, type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Two instances, a PostgreSQL server and several scrapes. */
setDefaultTimeout(120_000)

interface Dashboard {
  readonly __inputs: readonly { readonly name: string; readonly type: string }[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition: string }[] }
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly type: string
    readonly datasource?: object
    readonly targets?: readonly { readonly expr: string; readonly datasource: object }[]
  }[]
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(GRAFANA_FOLDER, 'reeve-dashboard.json'), 'utf8'))
const rules = (
  Bun.YAML.parse(readFileSync(join(GRAFANA_FOLDER, 'reeve-alerts.yaml'), 'utf8')) as RuleFile
).groups.flatMap((group) => group.rules)
const targets = dashboard.panels.flatMap(({ title, targets: ofPanel = [] }) =>
  ofPanel.map(({ expr }) => ({ title, expr })),
)

/** Replaces the variables of Grafana, as with all instances selected. */
const fillIn = (expression: string): string =>
  expression.replaceAll('$instance', '.*').replaceAll(/\$__(rate_interval|range)/g, '1m')

/** The selectors in an expression, such as `up{job="reeve"}`. */
const listSelectors = (expression: string): string[] =>
  expression.match(/\b(?:up|(?:reeve|process)_\w+)(?:\{[^}]*\})?/g) ?? []

const sqliteFolder = temporaryFolder()
const postgresFolder = temporaryFolder()
const store = startObjectStore()
let databaseUrl: string
let proxy: ReturnType<typeof createFaultProxy>
let prometheus: Prometheus
let instances: { readonly running: RunningServer; readonly workspaceId: string; readonly apiKey: string }[]

async function startInstance(dataDir: string, ownEnv: Record<string, string>) {
  const env = { ...METRICS_ENV, ...ownEnv }
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir, env, stdin: PASSWORD })
  const { workspaceId, apiKey } = JSON.parse(out) as { workspaceId: string; apiKey: string }
  return { running: await startServer({ dataDir, env }), workspaceId, apiKey }
}

beforeAll(async () => {
  databaseUrl = await createDatabase('template1')
  proxy = createFaultProxy(databaseUrl)
  instances = [
    await startInstance(sqliteFolder.data, {
      ...store.backupEnv,
      REEVE_BACKUP_PASSPHRASE: 'a passphrase of some length',
      REEVE_BACKUP_EVERY: '1h',
    }),
    await startInstance(postgresFolder.data, { REEVE_DATABASE_URL: proxy.url }),
  ]
  prometheus = await startPrometheus(instances.map(({ running }) => new URL(running.url).host))
})
afterAll(async () => {
  await prometheus?.stop()
  for (const { running } of instances ?? []) await running.stop()
  await dropDatabase(databaseUrl)
  for (const folder of [sqliteFolder, postgresFolder]) folder.remove()
  await store.close()
})

/** Bans, ban checks, failed sign-ins and an archive on each instance. */
async function generateTraffic() {
  for (const { running, workspaceId, apiKey } of instances) {
    const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      fetch(`${running.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
    const key = { authorization: `Bearer ${apiKey}` }
    await send('POST', '/api/moderation', { workspaceId, action: 'note', userId: '1', reason: 'Seen' }, key)
    await send('GET', `/api/moderation?workspaceId=${workspaceId}&userId=1`, undefined, key)
    await send('GET', `/api/moderation?workspaceId=${workspaceId}&userId=1`)
    await send('POST', '/portal/api/sign-in', { username: 'robin', password: 'wrong' })
    const signedIn = await send('POST', '/portal/api/sign-in', { username: 'robin', password: PASSWORD })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    await send('POST', '/api/workspaces', { id: workspaceId, archive: 'true' }, { cookie })
    await send('POST', '/api/workspaces', { id: workspaceId, archive: 'false' }, { cookie })
  }
}

/** Evaluates an expression until it has a number; the first scrapes, or the last job, may still be missing. */
const queryUntilNumber = (expression: string): Promise<void> =>
  pollUntil(
    async () => (await prometheus.query(expression)).some(({ value }) => Number.isFinite(value)),
    `there is a value: ${expression}`,
  )

test('the configuration, the rules and the expositions of both engines pass the checks of promtool', async () => {
  const config = await runPromtool([
    'check',
    'config',
    '--syntax-only',
    join(GRAFANA_FOLDER, 'prometheus.yml'),
  ])
  expect(config).toMatchObject({ exitCode: 0 })
  const check = await runPromtool(['check', 'rules', join(GRAFANA_FOLDER, 'reeve-alerts.yaml')])
  expect(check).toEqual({ exitCode: 0, output: expect.stringContaining(`${rules.length} rules found`) })
  const found = new Set<string>()
  await generateTraffic()
  for (const { running } of instances) {
    const text = await readServerMetrics(running.url)
    expect(await runPromtool(['check', 'metrics'], text)).toEqual({ exitCode: 0, output: '' })
    for (const name of listMetrics(text)) found.add(name)
  }
  const missing = Object.keys(metricDefinitions).filter((name) => !found.has(name))
  // The first backup may not have ended yet.
  expect(missing.filter((name) => !/^reeve_backup_last_(attempt|upload)/.test(name))).toEqual([])
})

test('the dashboard can be imported: its data source is an input, and instances are a variable', async () => {
  expect(dashboard.__inputs).toMatchObject([{ name: 'DS_PROMETHEUS', type: 'datasource' }])
  const [instance] = dashboard.templating.list
  expect([instance?.name, instance?.definition]).toEqual([
    'instance',
    'label_values(reeve_build_info, instance)',
  ])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's syntax
  const source = { type: 'prometheus', uid: '${DS_PROMETHEUS}' }
  for (const { title, type, datasource, targets: ofPanel = [] } of dashboard.panels) {
    if (type === 'row') continue
    expect({ title, datasource }).toEqual({ title, datasource: source })
    for (const target of ofPanel) expect(target.datasource).toEqual(source)
  }
  expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    ...['Is it up', 'Ban checks', 'Writes', 'Database', 'Backups', 'Jobs', 'Sign-ins'],
  ])
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

test('every query of the dashboard has values', async () => {
  await queryUntilNumber('count(reeve_ready == 1) == 2')
  // A rate needs a scrape before and one after.
  await generateTraffic()
  await queryUntilNumber('sum(reeve_sign_ins_total{result="failed"}) >= 2')
  await generateTraffic()
  for (const { title, expr } of targets) {
    expect({ title, expr }).toEqual({ title, expr: expect.stringContaining('instance=~"$instance"') })
    await queryUntilNumber(fillIn(expr))
  }
})

test('every expression of an alert is valid, and every selector in it has series', async () => {
  const database = new Database(join(sqliteFolder.data, 'reeve.db'))
  database.run('alter table sign_in_attempt rename to lost')
  database.close()
  const [sqlite] = instances
  const fail = () =>
    fetch(`${sqlite?.running.url}/portal/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: 'robin', password: PASSWORD }),
    })
  expect((await fail()).status).toBe(500)
  for (const { expr } of rules) {
    await prometheus.query(expr)
    for (const selector of listSelectors(expr)) await queryUntilNumber(selector)
  }
  // A rate needs a scrape before and one after a failure.
  await pollUntil(async () => {
    await fail()
    return (await prometheus.listAlerts()).includes('ReeveServerErrors')
  }, 'the failures are an alert')
})

test('an instance that loses its database, and one that ends, become alerts', async () => {
  proxy.block('cut')
  const waitForAlerts = (names: readonly string[]) =>
    pollUntil(
      async () => {
        const alerts = await prometheus.listAlerts()
        return names.every((name) => alerts.includes(name))
      },
      `these are alerts: ${names.join(', ')}`,
    )
  await waitForAlerts(['ReeveNotReady', 'ReeveListenerDisconnected'])
  proxy.unblock()
  await pollUntil(
    async () => !(await prometheus.listAlerts()).includes('ReeveNotReady'),
    'ReeveNotReady is no longer an alert',
  )
  await instances[0]?.running.stop()
  await waitForAlerts(['ReeveDown'])
})
