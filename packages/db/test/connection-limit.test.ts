import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Database, openServer, statement } from '../src/index.ts'
import { connectTo, createDatabase, queryServer } from './cluster.ts'
import { startPooler } from './pooler.ts'
import { bytes, insertImage, listImages } from './scratch.ts'

const countAccounts = statement({ isLookup: true })((sql) =>
  sql.selectFrom('account').select((eb) => eb.fn.countAll<number>().as('accounts')),
)

/** A role with few connections owns the database, because limits do not apply to superusers. */
let adminUrl: string
let url: string
let roleCount = 0
let db: Database
const others: Awaited<ReturnType<typeof connectTo>>[] = []

beforeEach(async () => {
  adminUrl = await createDatabase('template1')
  const role = `limited_${++roleCount}`
  const parsed = new URL(adminUrl)
  await queryServer(
    adminUrl,
    `create role ${role} login password 'x'; alter database ${parsed.pathname.slice(1)} owner to ${role}`,
  )
  parsed.username = role
  parsed.password = 'x'
  url = parsed.href
  db = (await openServer(url, { now: Date.now })).database
}, 60_000)
afterEach(async () => {
  await Promise.all(others.splice(0).map(({ close }) => close()))
  await db.close()
})

const limitTo = (connections: number) =>
  queryServer(adminUrl, `alter role limited_${roleCount} connection limit ${connections}`)
/** Takes all connections that are left, for another program. */
async function takeRest(): Promise<void> {
  for (;;) {
    try {
      others.push(await connectTo(url))
    } catch {
      return
    }
  }
}

/** Sends requests of every kind at once. @returns how many failed */
async function sendRequests(count: number): Promise<unknown[]> {
  const requests = Array.from({ length: count }, (_, index) => [
    db.read.all(listImages, {}),
    db.read.first(countAccounts, {}),
    db.write((tx) => tx.run(insertImage, { hash: crypto.randomUUID() + index, bytes })),
  ]).flat()
  const outcomes = await Promise.allSettled<unknown>(requests)
  return outcomes
    .filter(({ status }) => status === 'rejected')
    .map((outcome) => (outcome as PromiseRejectedResult).reason)
}

test('at a connection limit, requests wait for the connections that are open, and the process stays ready', async () => {
  await limitTo(4)
  let denials = 0
  db.onConnectionLimit(() => {
    denials += 1
  })
  expect(await sendRequests(60)).toEqual([])
  await db.ping()
  expect(await sendRequests(60)).toEqual([])
  expect((await db.read.all(listImages, {})).length).toBe(120)
  // Reported once, however many connections were refused.
  expect(denials).toBe(1)
}, 60_000)

test('with the only connection that other programs have left, every request succeeds', async () => {
  await limitTo(8)
  await takeRest()
  expect(await sendRequests(40)).toEqual([])
  await db.ping()
}, 60_000)

test('once connections are free again, the process opens more', async () => {
  await limitTo(8)
  await takeRest()
  expect(await sendRequests(20)).toEqual([])
  await Promise.all(others.splice(0).map(({ close }) => close()))
  await limitTo(-1)
  const countOpen = async () =>
    Number(
      (
        await queryServer<{ count: string }>(
          adminUrl,
          `select count(*) from pg_stat_activity where usename = 'limited_${roleCount}'`,
        )
      )[0]?.count,
    )
  while ((await countOpen()) < 8) expect(await sendRequests(50)).toEqual([])
}, 60_000)

test('after the server has closed all connections, requests succeed with as few', async () => {
  await limitTo(3)
  expect(await sendRequests(20)).toEqual([])
  await queryServer(
    adminUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'limited_${roleCount}'`,
  )
  for (let round = 0; round < 5; round++) await sendRequests(10)
  expect(await sendRequests(50)).toEqual([])
  await db.ping()
}, 60_000)

test('at the limit of PgBouncer, requests wait for the connections that it has accepted', async () => {
  const pooler = await startPooler(adminUrl, 2)
  await db.close()
  db = (await openServer(adminUrl, { now: Date.now, poolerUrl: pooler.url })).database
  expect(await sendRequests(40)).toEqual([])
  await db.ping()
  pooler.stop()
}, 60_000)
