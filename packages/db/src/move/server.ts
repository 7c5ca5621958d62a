import type { Client } from 'pg'
import { DatabaseServerError } from '../database-server-error.ts'
import { NewerSchemaError, schemaDifference } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { durable } from '../postgres/connections.ts'
import { locking } from '../postgres/locks.ts'
import { markOn, takeMoveLock, wordsOf } from '../postgres/move-mark.ts'
import { migrateOn } from '../postgres/open.ts'
import { reach } from '../postgres/server.ts'
import { type CatalogueRow, type End, type Row, type Source, type Target, tablesOf } from './end.ts'
import { isHalf, MARK_TABLE, type Mark, marking } from './mark.ts'

const refusal = (message: string): Error => new DatabaseServerError(message)

/** How long processes that were just stopped may take to be gone from the server's list, and how often it is looked at. */
const PATIENCE_MS = 1000
const LOOK_MS = 100

/** Who else of ours is connected to this database. */
const OTHERS = `select distinct coalesce(host(client_addr), 'this machine') from pg_stat_activity
  where datname = current_database() and application_name = 'reeve' and pid <> pg_backend_pid()`

/** What lies in the schema that tables are made in, but for what extensions brought. */
const HOLDINGS = `select relname from pg_class c where relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') limit 1`

const COLUMNS = `select c.relname, a.attname, format_type(a.atttypid, null),
    coalesce(array_position(string_to_array(i.indkey::text, ' '), a.attnum::text), 0)
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> '${MARK_TABLE}'
  order by c.relname, a.attnum`

const REFERENCES = `select o.relname, t.relname from pg_constraint f join pg_class o on o.oid = f.conrelid
  join pg_class t on t.oid = f.confrelid where f.contype = 'f' and o.relnamespace = current_schema()::regnamespace`

/** @throws DatabaseServerError, NewerSchemaError */
export const openSourceServer = (url: string): Promise<Source> =>
  onServer(url, 'REEVE_DATABASE_URL', async (client, end) => {
    const { rows } = await client.query("select to_regclass('migration') is not null as is_begun")
    if (!rows[0]?.is_begun) throw refusal(`There is no instance in ${end.words.name}.`)
    const names = (await client.query('select name from migration')).rows.map(({ name }) => String(name))
    const { unknown } = schemaDifference(names)
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
    return { ...end, needAlone: () => needAlone(client, end.words.name) }
  })

/** @throws DatabaseServerError */
export const openTargetServer = (url: string): Promise<Target> =>
  onServer(url, '--to', async (client, end) => {
    const mark = await end.mark()
    const holding = await end.rows(HOLDINGS, [])
    const occupied =
      `${end.words.name} holds something already (${holding[0]?.[0]}). Name a database that was only made (createdb); ` +
      'nothing was changed.'
    return {
      ...end,
      occupied: holding.length === 0 || isHalf(mark) ? null : sentence(occupied),
      mark: async () => (isHalf(mark) ? mark : null),
      async begin(made) {
        await inTransaction(client, async () => {
          // Whoever opens the database to make an instance of it holds this lock meanwhile.
          await client.query(locking('migrations'))
          if ((await end.rows(HOLDINGS, [])).length > 0) throw refusal(sentence(occupied))
          await write(client, made)
        })
      },
      async tables() {
        const columns = (await end.rows(COLUMNS, [])) as unknown as CatalogueRow[]
        const references = (await end.rows(REFERENCES, [])) as unknown as (readonly [string, string])[]
        return tablesOf(columns, references)
      },
      async add({ name, columns }, rows) {
        const names = columns.map((column) => `"${column.name}"`).join(', ')
        const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
        await client.query(
          `insert into "${name}" (${names}) select * from unnest(${lists})`,
          columns.map((_, index) => rows.map((row) => row[index])),
        )
      },
      async arrive() {
        // The first plans are good ones then. It is no part of the move: the server does it by itself after a while.
        await client.query('analyze').catch(() => {})
        return null
      },
    }
  })

/** Opens a database for a move, and closes it again where it turns out to be of no use. */
async function onServer<Made>(
  url: string,
  setting: string,
  make: (client: Client, end: End) => Promise<Made>,
): Promise<Made> {
  const { client } = await reach(url, setting)
  try {
    const words = wordsOf(client)
    if (!(await takeMoveLock(client)))
      throw refusal(sentence(`${words.name} is an end of another move that is under way.`))
    await client.query(durable('set'))
    return await make(client, {
      words,
      refusal,
      mark: () => markOn(client),
      setMark: (mark) => inTransaction(client, () => write(client, mark)),
      rows: async (text, values): Promise<Row[]> =>
        (await client.query({ text, values: [...values], rowMode: 'array' })).rows,
      async migrate(now) {
        await migrateOn(client, now, migrations)
      },
      close: () => client.end(),
    })
  } catch (error) {
    await client.end()
    throw error
  }
}

async function write(client: Client, mark: Mark): Promise<void> {
  for (const [sql, values] of marking(mark)) await client.query(sql, values)
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

async function needAlone(client: Client, name: string): Promise<void> {
  const since = performance.now()
  for (;;) {
    const { rows } = await client.query({ text: OTHERS, rowMode: 'array' })
    if (rows.length === 0) return
    if (performance.now() - since > PATIENCE_MS) {
      throw refusal(
        `Other Reeve processes are connected to ${name}, from ${rows.map(([address]) => address).join(', ')}. Stop them first.`,
      )
    }
    await Bun.sleep(LOOK_MS)
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
