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

/** Runs a request that fails. @returns its error, and how long it took in milliseconds */
async function measureFailure(request: () => Promise<unknown>) {
  const startedAt = performance.now()
  const error = await request().then(
    () => {
      throw new Error('the request succeeded')
    },
    (error: unknown) => error as { code?: string; options?: { headers?: object } },
  )
  return { error, ms: performance.now() - startedAt }
}

const readAll = () => db.read.all(listImages, {})
const lookUp = () => db.read.first(countAccounts, {})
const write = (hash: string) => db.write((tx) => tx.run(insertImage, { hash, bytes }))

test('while the server hangs, requests are rejected within seconds and then at once, until it responds', async () => {
  await write('before')
  await lookUp()
  proxy.block('stalled')
  const unavailable = { code: 'unavailable', options: { headers: { 'retry-after': '1' } } }
  const inFlight = await Promise.all([readAll, lookUp, () => write('during')].map(measureFailure))
  for (const { error, ms } of inFlight) {
    expect(error).toMatchObject(unavailable)
    expect(ms).toBeLessThan(10_000)
  }
  for (const request of [readAll, lookUp, () => write('later')]) {
    const { error, ms } = await measureFailure(request)
    expect(error).toMatchObject(unavailable)
    expect(ms).toBeLessThan(100)
  }
  proxy.unblock()
  while (!(await lookUp().catch(() => null))) await Bun.sleep(0)
  await write('after')
  const hashes = (await readAll()).map(({ hash }) => hash)
  expect(hashes).toContain('before')
  expect(hashes).toContain('after')
  expect(hashes).not.toContain('later')
}, 60_000)
