import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, openServer, statement } from '../src/index.ts'
import { createDatabase } from './cluster.ts'
import { createFaultProxy } from './proxy.ts'
import { bytes, insertImage, listImages } from './scratch.ts'

const countAccounts = statement({ isLookup: true })((sql) =>
  sql.selectFrom('account').select((eb) => eb.fn.countAll<number>().as('accounts')),
)

let db: Database
let proxy: ReturnType<typeof createFaultProxy>
beforeAll(async () => {
  proxy = createFaultProxy(await createDatabase())
  db = (await openServer(proxy.url, Date.now)).database
}, 60_000)
afterAll(() => db.close())

/** Runs a request that fails. @returns its error */
const findFailure = (request: () => Promise<unknown>) =>
  request().then(
    () => {
      throw new Error('the request succeeded')
    },
    (error: unknown) => error,
  )

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
