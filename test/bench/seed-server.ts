import { startServerProcess } from '@reeve/db/test-cluster'
import { Client } from 'pg'
import type { SeededData } from './seed.ts'
import { BINARY } from './servers.ts'

const DATABASE_NAME = 'bench'

/** Copies seeded data to a PostgreSQL server that Reeve and the baseline share. */
export async function moveSeedToPostgres(
  data: SeededData,
  log: (line: string) => void,
): Promise<{ postgresData: SeededData; version: string }> {
  const { getUrl } = startServerProcess(true)
  const query = async (name: string, sql: string) => {
    const client = new Client(getUrl(name))
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  await query('postgres', `create database ${DATABASE_NAME}`)
  const url = getUrl(DATABASE_NAME)
  log('Moving the data to PostgreSQL')
  const child = Bun.spawn([BINARY, 'move', '--to', url], {
    env: { ...process.env, ...data.settings },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error('the data could not be moved to PostgreSQL')
  // Not those without rows, as in a move.
  const analyzed = await query(
    DATABASE_NAME,
    "select oid::regclass as name from pg_class where relkind = 'r' and reltuples > 0 and relnamespace = current_schema()::regnamespace",
  )
  await query(DATABASE_NAME, `vacuum analyze ${analyzed.map(({ name }) => name).join(', ')}`)
  const [{ server_version: version }] = (await query(DATABASE_NAME, 'show server_version')) as [
    { server_version: string },
  ]
  return { postgresData: { ...data, settings: { REEVE_DATABASE_URL: url }, baselineLocation: url }, version }
}
