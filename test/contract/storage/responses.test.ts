import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteOldResponses } from '@reeve/http'
import { idLiteral, idOrTextLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { countRows, createRequests, readCounters } from './fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MAX_RESPONSES = 10_000
const MAX_BYTES = 32_000_000

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace with a key that has sent a note with the key `first`, whose response is stored. */
async function createActor() {
  const workspace = await instance.workspace()
  const { moderate } = createRequests(instance, workspace)
  /** Repeats the note. @returns whether the stored response was sent */
  const repeat = async () => {
    const note = { action: 'note', userId: '9', reason: 'Seen' }
    const { headers } = await moderate(note, { headers: { 'idempotency-key': 'first' } })
    return headers.get('idempotent-replayed') === 'true'
  }
  expect(await repeat()).toBe(false)
  const [row] = await instance.storage.query<{ actor_id: string }>(
    `select actor_id from idempotency where workspace_id = ${idLiteral(workspace.id)}`,
  )
  const actorId = row?.actor_id ?? ''
  /** Stores further responses of the actor, as if it had sent requests a millisecond apart until now. */
  const storeResponses = (count: number, answer = '{}') =>
    instance.storage.query(
      `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${count})
       insert into idempotency (workspace_id, actor_id, route, key, request_hash, status, answer, created_at)
       select ${idLiteral(workspace.id)}, ${idOrTextLiteral(actorId)}, 'POST moderation', ${instance.ports.now()} || ' ' || number, ${idOrTextLiteral(workspace.id)}, 200, '${answer}',
         ${instance.ports.now()} - ${count} + number from numbers`,
    )
  const countResponses = async (where = 'true') => {
    const [counted] = await instance.storage.query<{ count: number | string }>(
      `select count(*) as count from idempotency where actor_id = ${idOrTextLiteral(actorId)} and ${where}`,
    )
    return Number(counted?.count)
  }
  return { id: workspace.id, repeat, storeResponses, countResponses }
}

const cleanUp = () => deleteOldResponses(instance.db, instance.ports)

test('of an actor with too many stored responses, the oldest are deleted, and those of other actors stay', async () => {
  const [actor, other] = [await createActor(), await createActor()]
  instance.clock.advance(HOUR)
  await actor.storeResponses(MAX_RESPONSES + 20)
  const oldestKept = instance.ports.now() - MAX_RESPONSES
  instance.clock.advance(HOUR)
  await cleanUp()
  expect(await actor.countResponses()).toBe(MAX_RESPONSES)
  expect(await actor.countResponses(`created_at <= ${oldestKept}`)).toBe(0)
  expect(await actor.repeat()).toBe(false)
  expect(await other.repeat()).toBe(true)
}, 60_000)

test('of an actor with too large responses, the oldest are deleted', async () => {
  const actor = await createActor()
  instance.clock.advance(HOUR)
  const size = 400_000
  await actor.storeResponses(100, 'x'.repeat(size))
  instance.clock.advance(HOUR)
  await cleanUp()
  expect(await actor.countResponses()).toBe(MAX_BYTES / size)
  expect(await actor.repeat()).toBe(false)
}, 60_000)

test('no response is deleted in the hour after its request, however many there are', async () => {
  const actor = await createActor()
  await actor.storeResponses(MAX_RESPONSES + 20)
  instance.clock.advance(HOUR - MINUTE)
  await cleanUp()
  expect(await actor.countResponses()).toBe(MAX_RESPONSES + 21)
  expect(await actor.repeat()).toBe(true)
}, 60_000)

test('a deleted response no longer counts as storage of the workspace', async () => {
  const { id, repeat } = await createActor()
  const { responses } = await readCounters(instance, id)
  expect(responses).toBeGreaterThan(256)
  instance.clock.advance(24 * HOUR)
  await cleanUp()
  expect(await readCounters(instance, id)).toEqual(await countRows(instance, id))
  expect((await readCounters(instance, id)).responses).toBe(0)
  expect(await repeat()).toBe(false)
})
