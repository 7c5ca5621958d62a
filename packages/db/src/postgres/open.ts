import { Kysely, PostgresDialect } from 'kysely'
import type { Client, Pool } from 'pg'
import type { Database } from '../database.ts'
import { DatabaseServerError } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { type Migration, noUpgradeCheck, type ServerOpenOptions } from '../migration.ts'
import { migrations } from '../migrations/index.ts'
import { connectToServer } from './connect.ts'
import { postgresDatabase } from './database.ts'
import { insertHistory } from './history-id.ts'
import { lockKeySql } from './locks.ts'
import { postgresTools } from './migration-tools.ts'
import { assertNotMoved } from './moved-marker.ts'
import { createNotificationCodec, loadNotificationSecret } from './notifications.ts'
import { createClientQueries } from './statements.ts'

/**
 * Opens a PostgreSQL database and migrates its schema, one process at a time.
 * @returns the database and the names of the applied migrations
 * @throws DatabaseServerError also where advisory locks do not work or the pooler connects to another database
 * @throws NewerSchemaError
 */
export async function openPostgres(
  url: string,
  { now, migrations: list = migrations, beforeUpgrade = noUpgradeCheck, poolerUrl = null }: ServerOpenOptions,
): Promise<{ database: Database; applied: string[] }> {
  const { client, version } = await connectToServer(url)
  const target = { url: poolerUrl ?? url, isPooled: poolerUrl !== null }
  try {
    const applied = await migrateExclusively(client, now, list, {
      async beforeMigrating() {
        await assertNotMoved(client)
        await assertAdvisoryLocksWork(url)
      },
      beforeUpgrade: () => beforeUpgrade(createClientQueries(client)),
    })
    if (poolerUrl !== null) await assertSameDatabase(client, poolerUrl)
    await insertHistory(client)
    const notifications = createNotificationCodec(await loadNotificationSecret(client))
    return { database: await postgresDatabase(url, target, `PostgreSQL ${version}`, notifications), applied }
  } finally {
    await client.end()
  }
}

/**
 * Migrates the schema under an advisory lock. After an error, closing the connection releases the lock.
 * @param checks run under the lock: one before the first change, one before the schema of an existing database is changed
 * @returns the names of the applied migrations
 */
export async function migrateExclusively(
  client: Client,
  now: () => number,
  list: readonly Migration[],
  checks: {
    readonly beforeMigrating: () => Promise<void>
    readonly beforeUpgrade: () => Promise<void>
  } | null = null,
): Promise<string[]> {
  await client.query(`select pg_advisory_lock(${lockKeySql('migrations')})`)
  await checks?.beforeMigrating()
  const pooledClient = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => pooledClient, end: async () => {} }
  const kysely = new Kysely({ dialect: new PostgresDialect({ pool: pool as unknown as Pool }) })
  const applied = await migrate(kysely, postgresTools, now, list, checks?.beforeUpgrade)
  await client.query(`select pg_advisory_unlock(${lockKeySql('migrations')})`)
  return applied
}

/**
 * Checks that a second connection cannot take a lock that this process holds. Some databases with the PostgreSQL protocol
 * accept the functions for advisory locks, but lock nothing.
 */
async function assertAdvisoryLocksWork(url: string): Promise<void> {
  const { client } = await connectToServer(url)
  try {
    const { rows } = await client.query(
      `select pg_try_advisory_lock(${lockKeySql('migrations')}) as is_taken`,
    )
    if (rows[0]?.is_taken) {
      throw new DatabaseServerError(
        'The advisory locks of this server lock nothing. Without them, a player could have two bans in force. ' +
          'Use PostgreSQL, or a database with working advisory locks.',
      )
    }
  } finally {
    await client.end()
  }
}

/** Takes an advisory lock directly and looks for it through the pooler, because two databases would split the instance. */
async function assertSameDatabase(client: Client, poolerUrl: string): Promise<void> {
  const lockKey = [...crypto.getRandomValues(new Int32Array(2))]
  await client.query('select pg_advisory_lock($1::int, $2::int)', lockKey)
  const pooled = await connectToServer(poolerUrl, 'REEVE_DATABASE_POOLER_URL', true)
  try {
    const { rows } = await pooled.client.query(
      `select 1 from pg_locks where locktype = 'advisory' and (classid::bigint, objid::bigint) = ($1, $2)
       and database = (select oid from pg_database where datname = current_database())`,
      lockKey.map((number) => number >>> 0),
    )
    if (rows.length === 0)
      throw new DatabaseServerError(
        'REEVE_DATABASE_POOLER_URL leads to another database than REEVE_DATABASE_URL. Both must lead to the same one.',
      )
  } finally {
    await pooled.client.end()
  }
}
