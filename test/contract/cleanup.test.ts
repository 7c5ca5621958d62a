import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCleanup } from '@reeve/api/jobs/cleanup'
import { type Database, openDatabase } from '@reeve/db'
import { type Instance, openInstance } from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'

const HOUR = 3_600_000

let instance: Instance
/** The ways to the database of several processes, where there may be several. */
let ways: Database[]

beforeAll(async () => {
  instance = await openInstance()
  const { db, storage, ports } = instance
  ways = db.isShared ? [db, (await openDatabase(storage, ports.now)).database] : [db]
})
afterAll(async () => {
  for (const db of ways.slice(1)) await db.close()
  await instance.close()
})

/** How many of twenty that ask at once are let do it. */
async function done(): Promise<number> {
  const pendingRequests = Array.from({ length: 20 }, (_, index) =>
    runCleanup(ways[index % ways.length] as Database, instance.ports),
  )
  return (await Promise.all(pendingRequests)).filter((isDone) => isDone).length
}

test('the house is kept once an hour, however many processes ask', async () => {
  expect(await done()).toBe(1)
  expect(await done()).toBe(0)
  instance.clock.advance(HOUR - 1)
  expect(await done()).toBe(0)
  instance.clock.advance(1)
  expect(await done()).toBe(1)
})

test('a clock that was ahead and is set back does not stop it', async () => {
  instance.clock.advance(-3 * HOUR)
  expect(await done()).toBe(1)
  expect(await done()).toBe(0)
})

test('what is over is deleted by it, and nothing else', async () => {
  const { request } = instance
  const { id, key } = await instance.workspace()
  const note = (name: string) =>
    request('POST', '/api/moderation', {
      key,
      headers: { 'idempotency-key': name },
      body: { workspaceId: id, action: 'note', userId: '7', reason: 'Seen' },
    })
  await note('early')
  instance.clock.advance(HOUR)
  await note('later')
  instance.clock.advance(24 * HOUR - 1)
  expect(await done()).toBe(1)
  const storedResponses = JSON.stringify((await readStoredRows(instance)).idempotency)
  expect(storedResponses).toContain('later')
  expect(storedResponses).not.toContain('early')
})
