/**
 * Prints every statement that the packages declare, as SQL, and the families of statements that were never used. Runs in a
 * separate process, where no test has declared statements, and sends requests to every endpoint to use the families.
 */
import { join } from 'node:path'
import {
  compile,
  type Dialect,
  sqliteEncoding,
  sqliteNameIndex,
  statementFamilies,
  statements,
} from '@reeve/db'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { ROOT } from './program.ts'

export interface DeclaredStatements {
  readonly sql: readonly string[]
  /** The source of each family that has no members. */
  readonly unusedFamilies: readonly string[]
}

const kysely = new Kysely<never>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  itemOf: (column, ids, numbers) => sql`${numbers}[${ids}, ${sql.ref(column)}]`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: (table) => sql`${sql.table(table)}`.as(table) as never,
  forUpdate: sql``,
  nameIndex: sqliteNameIndex,
}

const compiler = { sql: kysely as never, dialect, encoding: sqliteEncoding, bind: (value: unknown) => value }

const sources = [...new Bun.Glob('{packages,apps}/*/src/**/*.ts').scanSync(ROOT)]
  .filter((file) => !file.endsWith('.d.ts') && !file.endsWith('/main.ts') && !file.startsWith('apps/portal/'))
  .sort()
for (const file of sources) await import(join(ROOT, file))
const packageStatements = [...statements]
const packageFamilyCount = statementFamilies.length

const { createWebhookCaller, openDeliveries } = await import('./deliveries.ts')
const { openInstance } = await import('./instance.ts')
const { allowAppealFiles } = await import('./appeal-files.ts')
const { publicApiSteps, portalReadSteps } = await import('./api-requests.ts')
const { runRequestSequence } = await import('./request-sequence.ts')
const testStatements = new Set(statements.slice(packageStatements.length))
const instance = await openInstance()
const workspace = await instance.workspace('Night shift')
const variables = { workspace: workspace.id, role: await instance.role(workspace.id, []) }
await allowAppealFiles(instance, workspace)
await runRequestSequence(
  publicApiSteps,
  ({ method, path, body, headers }) =>
    instance.request(method, `/api${path}`, { key: workspace.key, headers, ...(body ? { body } : {}) }),
  variables,
)
await runRequestSequence(
  portalReadSteps,
  ({ method, path }) => instance.request(method, path, { session: workspace.ownerSession }),
  variables,
)
// What sends events is no request.
const deliveries = openDeliveries(instance)
const caller = createWebhookCaller(instance, { id: workspace.id, key: await instance.key(workspace.id) })
for (const action of ['resume', 'pause']) {
  const { webhook } = await caller.create('http://127.0.0.1:1/hook', 'ban.created')
  await caller.call('POST', 'webhooks/test', { id: webhook.id })
  await caller.call('PATCH', 'webhooks', { id: webhook.id, action })
  await caller.call('POST', 'webhooks/test', { id: webhook.id })
  await deliveries.sendAllDue()
}
await instance.close()

const declared: DeclaredStatements = {
  sql: statements
    .filter((declaredStatement) => !testStatements.has(declaredStatement))
    .map((declaredStatement) => compile(declaredStatement, compiler).sql),
  unusedFamilies: statementFamilies
    .slice(0, packageFamilyCount)
    .filter(({ members }) => members.size === 0)
    .map(({ source }) => source),
}
console.log(JSON.stringify(declared))
