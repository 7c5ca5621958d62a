import { Client } from 'pg'
import { openServer } from '../src/index.ts'
import { connecting } from '../src/postgres/connections.ts'
import { startServerProcess } from './server-process.ts'

export { cuttingProxy } from './proxy.ts'
export { freePort, freePorts, type ServerProcess, startServerProcess } from './server-process.ts'

/** A PostgreSQL server of this process alone, with an empty instance to copy. */
async function start() {
  const { urlOf } = startServerProcess(false)
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
  const client = new Client({ ...connecting(url), application_name: 'test' })
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
