import { Kysely, PostgresDialect } from 'kysely'
import { type Client, type CustomTypesConfig, Pool } from 'pg'
import { uuidToBytes } from '../column-encoding.ts'
import { DatabaseServerError } from '../errors.ts'
import { NewerSchemaError, schemaDifference } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { isIncomplete, MARKER_TABLE, type MoveMarker, upsertMarkerSql } from '../moved-marker.ts'
import { connectToServer } from '../postgres/connect.ts'
import { resultTypes, synchronousCommitSql } from '../postgres/connections.ts'
import { assertExclusive } from '../postgres/exclusive.ts'
import { acquireLockSql } from '../postgres/locks.ts'
import { labelsForClient, readMarker } from '../postgres/moved-marker.ts'
import { NAME_INDEX_TABLE, postgresNameIndex } from '../postgres/name-index.ts'
import { migrateExclusively } from '../postgres/open.ts'
import type { Tables } from '../tables/index.ts'
import {
  type CatalogRow,
  type MoveEndpoint,
  type MoveSource,
  type MoveTarget,
  type Row,
  toIndexedNames,
  toTables,
} from './endpoint.ts'
import { acquireMoveLock } from './move-lock.ts'

const createError = (message: string): Error => new DatabaseServerError(message)

/** Objects in the current schema, except those of extensions. */
const EXISTING_OBJECTS = `select relname from pg_class c where relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') limit 1`

const COLUMNS = `select c.relname, a.attname, format_type(a.atttypid, null),
    coalesce(array_position(string_to_array(i.indkey::text, ' '), a.attnum::text), 0)
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('${MARKER_TABLE}', '${NAME_INDEX_TABLE}')
  order by c.relname, a.attnum`

const REFERENCES = `select o.relname, t.relname from pg_constraint f join pg_class o on o.oid = f.conrelid
  join pg_class t on t.oid = f.confrelid where f.contype = 'f' and o.relnamespace = current_schema()::regnamespace`

/** The OID of `uuid`: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const UUID = 2950

/** Reads ids as bytes, as SQLite stores them. */
const idsAsBytes = {
  getTypeParser: (type: number) =>
    type === UUID ? uuidToBytes : (resultTypes.getTypeParser(type, 'text') as (text: string) => unknown),
} as CustomTypesConfig

/** The driver writes bytes in an array as `bytea`. */
const toArrayItem = (type: string, value: unknown): unknown =>
  type === 'uuid' && value instanceof Uint8Array ? value.toHex() : value

/** Only compiles; it never connects. */
const compiler = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) })

/**
 * Opens a PostgreSQL database as the source of a move.
 * @param onWait gets a sentence for the user if it has to wait for another move
 * @throws DatabaseServerError, NewerSchemaError
 */
export const openSourceServer = (url: string, onWait: (reason: string) => void): Promise<MoveSource> =>
  openEndpoint(url, 'REEVE_DATABASE_URL', onWait, async (client, endpoint) => {
    const { rows } = await client.query("select to_regclass('migration') is not null as is_begun")
    if (!rows[0]?.is_begun) throw createError(`There is no instance in ${endpoint.labels.name}.`)
    const names = (await client.query('select name from migration')).rows.map(({ name }) => String(name))
    const { unknown } = schemaDifference(names)
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
    return { ...endpoint, assertExclusive: () => assertExclusive(client) }
  })

/** Opens a PostgreSQL database as the target of a move. @throws DatabaseServerError */
export const openTargetServer = (url: string, onWait: (reason: string) => void): Promise<MoveTarget> =>
  openEndpoint(url, '--to', onWait, async (client, endpoint) => {
    const marker = await endpoint.marker()
    const existing = await endpoint.query(EXISTING_OBJECTS, [])
    const notEmptyReason =
      `${endpoint.labels.name} is not empty (${existing[0]?.[0]}). Choose a new database (createdb); ` +
      'nothing was changed.'
    return {
      ...endpoint,
      notEmptyReason: existing.length === 0 || isIncomplete(marker) ? null : capitalize(notEmptyReason),
      marker: async () => (isIncomplete(marker) ? marker : null),
      async begin(newMarker) {
        await inTransaction(client, async () => {
          // A process that creates an instance in the database holds this lock.
          await client.query(acquireLockSql('migrations'))
          if ((await endpoint.query(EXISTING_OBJECTS, [])).length > 0)
            throw createError(capitalize(notEmptyReason))
          await writeMarker(client, newMarker)
        })
      },
      async listTables() {
        const columns = (await endpoint.query(COLUMNS, [])) as unknown as CatalogRow[]
        const references = (await endpoint.query(REFERENCES, [])) as unknown as (readonly [string, string])[]
        return toTables(columns, references)
      },
      async insertRows(table, rows) {
        const { name, columns } = table
        const names = columns.map((column) => `"${column.name}"`).join(', ')
        const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
        await inTransaction(client, async () => {
          await client.query(
            `insert into "${name}" (${names}) select * from unnest(${lists})`,
            columns.map(({ type }, index) => rows.map((row) => toArrayItem(type, row[index]))),
          )
          const indexedNames = toIndexedNames(table, rows)
          if (indexedNames === null) return
          const { sql, parameters } = postgresNameIndex.insertAll(indexedNames).compile(compiler)
          await client.query(sql, [...parameters])
        })
      },
      async continueNumbers() {
        await client.query(postgresNameIndex.setNextId)
      },
      async activate() {
        // Gives the query planner statistics at once. Optional: autovacuum would do it later.
        await analyzeTables(client).catch(() => {})
        return null
      },
    }
  })

/**
 * Not of tables without rows: connections keep plans that read a whole table because it was empty, and need minutes to notice that it has grown.
 * Without statistics, the planner assumes that it has some.
 */
async function analyzeTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0`,
  )
  await client.query(`analyze ${rows.map(({ name }) => name).join(', ')}`)
}

/** Opens a database for a move, and closes it on an error. */
async function openEndpoint<Opened>(
  url: string,
  setting: string,
  onWait: (reason: string) => void,
  build: (client: Client, endpoint: MoveEndpoint) => Promise<Opened>,
): Promise<Opened> {
  const { client } = await connectToServer(url, setting)
  try {
    const labels = labelsForClient(client)
    await acquireMoveLock(client, onWait)
    await client.query(synchronousCommitSql('set'))
    return await build(client, {
      labels,
      createError,
      marker: () => readMarker(client),
      setMarker: (marker) => inTransaction(client, () => writeMarker(client, marker)),
      query: async (text, values): Promise<Row[]> =>
        (await client.query({ text, values: [...values], rowMode: 'array', types: idsAsBytes })).rows,
      async migrate(now) {
        await migrateExclusively(client, now, migrations)
      },
      close: () => client.end(),
    })
  } catch (error) {
    await client.end()
    throw error
  }
}

async function writeMarker(client: Client, marker: MoveMarker): Promise<void> {
  for (const [sql, values] of upsertMarkerSql(marker)) await client.query(sql, values)
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
