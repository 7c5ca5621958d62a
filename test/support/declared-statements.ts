/**
 * Prints every statement that the packages declare, as SQL, and whether each family of them was met: run in a process of
 * its own, where no test has declared any. The members of families are met by walking the interface.
 */
import { join } from 'node:path'
import { compile, type Dialect, statementFamilies, statements } from '@reeve/db'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { ROOT } from './program.ts'

export interface Declared {
  readonly sql: readonly string[]
  /** The source of each family of which no member was met. */
  readonly unmet: readonly string[]
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
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: (table) => sql`${sql.table(table)}`.as(table) as never,
}

const sources = [...new Bun.Glob('{packages,apps}/*/src/**/*.ts').scanSync(ROOT)]
  .filter((file) => !file.endsWith('.d.ts') && !file.endsWith('/main.ts') && !file.startsWith('apps/portal/'))
  .sort()
for (const file of sources) await import(join(ROOT, file))
const ofPackages = [...statements]
const families = statementFamilies.length

const { openInstance } = await import('./instance.ts')
const { wholeInterface, portalReadings } = await import('./steps.ts')
const { walk } = await import('./walk.ts')
const ofTests = new Set(statements.slice(ofPackages.length))
const instance = await openInstance()
const workspace = await instance.workspace('Night shift')
const names = { workspace: workspace.id, role: await instance.role(workspace.id, []) }
await walk(
  wholeInterface,
  ({ method, path, body, headers }) =>
    instance.call(method, `/api${path}`, { key: workspace.key, headers, ...(body ? { body } : {}) }),
  names,
)
await walk(
  portalReadings,
  ({ method, path }) => instance.call(method, path, { session: workspace.ownerSession }),
  names,
)
await instance.close()

const declared: Declared = {
  sql: statements
    .filter((one) => !ofTests.has(one))
    .map((one) => compile(one, kysely as never, dialect, (value) => value).sql),
  unmet: statementFamilies
    .slice(0, families)
    .filter(({ members }) => members.size === 0)
    .map(({ source }) => source),
}
console.log(JSON.stringify(declared))
