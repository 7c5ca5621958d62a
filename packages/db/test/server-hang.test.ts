import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type Database, openServer, statement } from '../src/index.ts'
import { CONNECTIONS } from '../src/postgres/connections.ts'
import { connectTo, createDatabase, queryServer } from './cluster.ts'
import { createFaultProxy } from './proxy.ts'
import { waitUntil } from './replica.ts'
import { bytes, insertImage, listImages } from './scratch.ts'

const countAccounts = statement({ isLookup: true })((sql) =>
  sql.selectFrom('account').select((eb) => eb.fn.countAll<number>().as('accounts')),
)

let url: string
let db: Database
let proxy: ReturnType<typeof createFaultProxy>
beforeAll(async () => {
  url = await createDatabase()
  proxy = createFaultProxy(url)
  db = (await openServer(proxy.url, { now: Date.now })).database
}, 60_000)
afterEach(() => proxy.unblock())
afterAll(() => db.close())

/** Runs a request that fails. @returns its error */
const findFailure = (request: () => Promise<unknown>) =>
  request().then(
    () => {
      throw new Error('the request succeeded')
    },
    (error: unknown) => error,
  )

/** Runs a lookup on each of its connections. */
const lookUpOnEach = () => Promise.all(Array.from({ length: CONNECTIONS.lookups }, lookUp))

const readAll = () => db.read.all(listImages, {})
const lookUp = () => db.read.first(countAccounts, {})
const write = (hash: string) => db.write((tx) => tx.run(insertImage, { hash, bytes }))

test('while the server hangs, requests are rejected within seconds and then without being sent, until it responds', async () => {
  await write('before')
  await lookUp()
  proxy.block('stalled')
  const unavailable = { code: 'unavailable', options: { headers: { 'retry-after': '1' } } }
  const startedAt = performance.now()
  const inFlight = await Promise.all([readAll, lookUp, () => write('during')].map(findFailure))
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  for (const error of inFlight) expect(error).toMatchObject(unavailable)
  for (const request of [readAll, lookUp, () => write('later')])
    expect(await findFailure(request)).toMatchObject({ ...unavailable, cause: { wasSent: false } })
  proxy.unblock()
  while (!(await lookUp().catch(() => null))) await Bun.sleep(0)
  await write('after')
  const hashes = (await readAll()).map(({ hash }) => hash)
  expect(hashes).toContain('before')
  expect(hashes).toContain('after')
  expect(hashes).not.toContain('later')
}, 60_000)

test('when open connections are dropped without an error, lookups succeed within seconds on new ones', async () => {
  await lookUpOnEach()
  await db.ping()
  proxy.stallOpen()
  const startedAt = performance.now()
  for (const row of await lookUpOnEach()) expect(row).toEqual({ accounts: 0 })
  expect(performance.now() - startedAt).toBeLessThan(8000)
}, 60_000)

test('a server that takes more than a second to respond is available, also if it has no room for a new connection', async () => {
  await db.ping()
  proxy.stallOpen()
  proxy.cutNew()
  setTimeout(proxy.resumeOpen, 1500)
  await db.ping()
}, 60_000)

test('lookups that the server is executing are not sent again on new connections', async () => {
  await lookUpOnEach()
  const locker = await connectTo(url)
  await locker.query('begin; lock table account in access exclusive mode')
  const waiting = lookUpOnEach()
  const findWaiting = (seconds: number) =>
    queryServer(
      url,
      `select from pg_locks where not granted and waitstart < clock_timestamp() - interval '${seconds} s'`,
    )
  await waitUntil(async () => (await findWaiting(6)).length === CONNECTIONS.lookups)
  expect(await findWaiting(0)).toHaveLength(CONNECTIONS.lookups)
  await locker.close()
  for (const row of await waiting) expect(row).toEqual({ accounts: 0 })
}, 60_000)

test('while the server hangs, the database closes within seconds', async () => {
  const { database } = await openServer(proxy.url, { now: Date.now })
  await database.read.all(listImages, {})
  proxy.block('stalled')
  const startedAt = performance.now()
  await database.close()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
}, 60_000)
