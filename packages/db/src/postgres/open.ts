import { Kysely, PostgresDialect } from 'kysely'
import type { Client, Pool } from 'pg'
import type { Database } from '../database.ts'
import { DatabaseServerError } from '../errors.ts'
import { migrate, postgresTools } from '../migrate.ts'
import type { Migration } from '../migration.ts'
import { connectToServer } from './connect.ts'
import { postgresDatabase } from './database.ts'
import { lockKeySql } from './locks.ts'
import { assertNotMoved } from './moved-marker.ts'

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
  const { client, version } = await connectToServer(url)
  const target = { url: poolerUrl ?? url, isPooled: poolerUrl !== null }
  try {
    const applied = await migrateExclusively(client, now, list, async () => {
      await assertNotMoved(client)
      await assertAdvisoryLocksWork(url)
    })
    if (poolerUrl !== null) await assertSameDatabase(client, poolerUrl)
    return { database: await postgresDatabase(url, target, `PostgreSQL ${version}`), applied }
  } finally {
    await client.end()
  }
}

/**
 * Brings the schema up to date, one process at a time. Where that fails, the lock goes with the connection.
 * @param first what has to hold before anything is changed
 */
export async function migrateExclusively(
  client: Client,
  now: () => number,
  list: readonly Migration[],
  beforeMigrating: (client: Client) => Promise<void> = async () => {},
): Promise<string[]> {
  await client.query(`select pg_advisory_lock(${lockKeySql('migrations')})`)
  await beforeMigrating(client)
  const pooledClient = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => pooledClient, end: async () => {} }
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as Pool }) })
  const applied = await migrate(kysely, postgresTools, now, list)
  await client.query(`select pg_advisory_unlock(${lockKeySql('migrations')})`)
  return applied
}

/**
 * Makes sure that another connection is not given the lock that this process holds at the moment: some databases that speak
 * like PostgreSQL know the functions, and lock nothing.
 */
async function assertAdvisoryLocksWork(url: string): Promise<void> {
  const { client } = await connectToServer(url)
  try {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(${lockKeySql('migrations')}) as is_taken`,
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
async function assertSameDatabase(client: Client, poolerUrl: string): Promise<void> {
  const lockKey = [...crypto.getRandomValues(new Int32Array(2))]
  await client.query('select pg_advisory_lock($1::int, $2::int)', lockKey)
  const pooled = await connectToServer(poolerUrl, 'REEVE_DATABASE_POOLER_URL')
  try {
    const { rows } = await pooled.client.query(
      `select 1 from pg_locks where locktype = 'advisory' and (classid::bigint, objid::bigint) = ($1, $2)
       and database = (select oid from pg_database where datname = current_database())`,
      lockKey.map((number) => number >>> 0),
    )
    if (rows.length === 0)
      throw new DatabaseServerError(
        'REEVE_DATABASE_POOLER_URL leads to another database than REEVE_DATABASE_URL; both have to lead to the same.',
      )
  } finally {
    await pooled.client.end()
  }
}
