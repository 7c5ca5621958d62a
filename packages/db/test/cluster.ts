import { Client, type QueryResult } from 'pg'
import { openServer } from '../src/index.ts'
import { clientConfig } from '../src/postgres/connections.ts'
import { startServerProcess } from './server-process.ts'

export { acquireLockSql } from '../src/postgres/locks.ts'
export { createFaultProxy } from './proxy.ts'
export {
  freePort,
  freePorts,
  type ServerProcess,
  spawnIdentity,
  startServerProcess,
} from './server-process.ts'

/** Starts a PostgreSQL server for this process, with an empty instance as a template. */
async function start() {
  const { getUrl } = startServerProcess(false)
  // Stays open: a connection takes a third as long as dropping a database.
  const { query } = await connectTo(getUrl('postgres'))
  await query('create database instance')
  const { database } = await openServer(getUrl('instance'), { now: Date.now })
  await database.close()
  return { getUrl, query }
}

let started: ReturnType<typeof start> | undefined
let databaseCount = 0

/**
 * Creates an empty database, or one with an empty instance. Copying its files takes at most half as long as the default, which copies pages
 * through the cache, and such a database is dropped in half the time.
 * @returns its URL
 */
export async function createDatabase(template: 'template1' | 'instance' = 'instance'): Promise<string> {
  started ??= start()
  const { getUrl, query } = await started
  const name = `reeve_${++databaseCount}`
  await query(`create database ${name} template ${template} strategy file_copy`)
  return getUrl(name)
}

/** Drops a database, even with open connections. */
export async function dropDatabase(url: string): Promise<void> {
  const { query } = await (started ?? start())
  await query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

/** Opens a connection without our own code. */
export async function connectTo(url: string) {
  const client = new Client({ ...clientConfig(url), application_name: 'test' })
  await client.connect()
  /** Runs several statements in one request. @returns the rows of each */
  const queryEach = async <Row>(sqls: readonly string[]): Promise<Row[][]> => {
    const results: QueryResult | QueryResult[] = await client.query(sqls.join(';\n'))
    return [results].flat().map(({ rows }) => rows as Row[])
  }
  return {
    query: async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[],
    queryEach,
    close: () => client.end(),
  }
}

/** Runs a query on a separate connection, without our own code. */
export async function queryServer<Row>(url: string, sql: string): Promise<Row[]> {
  const { query, close } = await connectTo(url)
  try {
    return await query<Row>(sql)
  } finally {
    await close()
  }
}
