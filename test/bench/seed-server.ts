import { startServerProcess } from '@reeve/db/test-cluster'
import { Client } from 'pg'
import type { Seeded } from './seed.ts'
import { BINARY } from './servers.ts'

const NAME = 'bench'

/** Carries seeded data to a PostgreSQL server of this process, which Reeve and the ceiling then share. */
export async function seedServer(
  data: Seeded,
  say: (line: string) => void,
): Promise<{ onServer: Seeded; version: string }> {
  const { getUrl } = startServerProcess(true)
  const ask = async (name: string, sql: string) => {
    const client = new Client(getUrl(name))
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  await ask('postgres', `create database ${NAME}`)
  const url = getUrl(NAME)
  say('Moving them to PostgreSQL')
  const child = Bun.spawn([BINARY, 'move', '--to', url], {
    env: { ...process.env, ...data.place },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error('the data could not be moved to PostgreSQL')
  await ask(NAME, 'vacuum analyze')
  const [{ server_version: version }] = (await ask(NAME, 'show server_version')) as [
    { server_version: string },
  ]
  return { onServer: { ...data, place: { REEVE_DATABASE_URL: url }, bare: url }, version }
}
