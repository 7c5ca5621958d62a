import { Kysely, PostgresDialect } from 'kysely'
import type { Client, Pool } from 'pg'
import type { Database } from '../database.ts'
import { type Migration, migrate, postgresTools } from '../migrate.ts'
import { postgresDatabase } from './database.ts'
import { lockNumber } from './locks.ts'
import { needUnmoved } from './move-mark.ts'
import { reach } from './server.ts'

/**
 * Opens a PostgreSQL database: brings its schema up to date, which one process does while others wait, and opens the door.
 * @returns the database and the names of the migrations that were applied
 * @throws DatabaseServerError, NewerSchemaError
 */
export async function openPostgres(
  url: string,
  now: () => number,
  list: readonly Migration[],
): Promise<{ database: Database; applied: string[] }> {
  const { client, version } = await reach(url)
  try {
    const applied = await migrateOn(client, now, list, needUnmoved)
    return { database: await postgresDatabase(url, `PostgreSQL ${version}`), applied }
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
