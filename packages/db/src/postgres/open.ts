import { Kysely, PostgresDialect } from 'kysely'
import type { Client, Pool } from 'pg'
import type { Database } from '../database.ts'
import { DatabaseServerError } from '../database-server-error.ts'
import { type Migration, migrate, postgresTools } from '../migrate.ts'
import { postgresDatabase } from './database.ts'
import { lockNumber } from './locks.ts'
import { needUnmoved } from './move-mark.ts'
import { reach } from './server.ts'

/**
 * Opens a PostgreSQL database: brings its schema up to date, which one process does while others wait, and opens the door.
 * @param poolerUrl the way to the same database that calls go by, where that is not the direct one
 * @returns the database and the names of the migrations that were applied
 * @throws DatabaseServerError also where locks do not hold or the pooler leads to another database, NewerSchemaError
 */
export async function openPostgres(
  url: string,
  poolerUrl: string | null,
  now: () => number,
  list: readonly Migration[],
): Promise<{ database: Database; applied: string[] }> {
  const { client, version } = await reach(url)
  const calls = { url: poolerUrl ?? url, isPooled: poolerUrl !== null }
  try {
    const applied = await migrateOn(client, now, list, async () => {
      await needUnmoved(client)
      await needLocksThatHold(url)
    })
    if (poolerUrl !== null) await needSameDatabase(client, poolerUrl)
    return { database: await postgresDatabase(url, calls, `PostgreSQL ${version}`), applied }
  } finally {
    await client.end()
  }
}

/**
 * Brings the schema up to date, one process at a time. Where that fails, the lock goes with the connection.
 * @param first what has to hold before anything is changed
 */
export async function migrateOn(
  client: Client,
  now: () => number,
  list: readonly Migration[],
  first: (client: Client) => Promise<void> = async () => {},
): Promise<string[]> {
  await client.query(`select pg_advisory_lock(${lockNumber('migrations')})`)
  await first(client)
  const one = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => one, end: async () => {} }
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as Pool }) })
  const applied = await migrate(kysely, postgresTools, now, list)
  await client.query(`select pg_advisory_unlock(${lockNumber('migrations')})`)
  return applied
}

/**
 * Makes sure that another connection is not given the lock that this process holds at the moment: some databases that speak
 * like PostgreSQL know the functions, and lock nothing.
 */
async function needLocksThatHold(url: string): Promise<void> {
  const { client } = await reach(url)
  try {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(${lockNumber('migrations')}) as is_taken`,
    )
    if (rows[0]?.is_taken) {
      throw new DatabaseServerError(
        'The advisory locks of this server lock nothing, and without them two bans of one player could be in force. ' +
          'Reeve needs PostgreSQL, or a database whose advisory locks hold.',
      )
    }
  } finally {
    await client.end()
  }
}

/** Takes a lock on one way and looks for it on the other: a pooler that leads elsewhere would split an instance in two. */
async function needSameDatabase(client: Client, poolerUrl: string): Promise<void> {
  const numbers = [...crypto.getRandomValues(new Int32Array(2))]
  await client.query('select pg_advisory_lock($1::int, $2::int)', numbers)
  const pooled = await reach(poolerUrl, 'REEVE_DATABASE_POOLER_URL')
  try {
    const { rows } = await pooled.client.query(
      `select 1 from pg_locks where locktype = 'advisory' and (classid::bigint, objid::bigint) = ($1, $2)
       and database = (select oid from pg_database where datname = current_database())`,
      numbers.map((number) => number >>> 0),
    )
    if (rows.length === 0)
      throw new DatabaseServerError(
        'REEVE_DATABASE_POOLER_URL leads to another database than REEVE_DATABASE_URL; both have to lead to the same.',
      )
  } finally {
    await pooled.client.end()
  }
}
