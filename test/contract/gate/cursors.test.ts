import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openEventsFixture } from '../events/fixture.ts'
import { openModerationFixture } from '../moderation/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const MISMATCH = 'cursor: must be an unmodified nextCursor of the same list with the same filters'

/** Records of three players, and the requests of a list that continues after the first one. */
async function openList() {
  const fixture = await openModerationFixture(instance)
  for (const userId of ['1', '2', '3']) {
    await fixture.actOk({ action: 'warn', userId, reason: 'Spam' })
    await fixture.actOk({ action: 'note', userId, reason: 'Seen' })
  }
  const filters = { action: 'warn,note', userId: '1,2', limit: '1' }
  const { body } = await fixture.get(filters)
  const cursor: string = body.nextCursor
  return { ...fixture, filters, cursor, readNext: (query: object) => fixture.get({ ...query, cursor }) }
}

test('a cursor continues a list with the same filters, in any order and with any limit', async () => {
  const { filters, readNext } = await openList()
  const next = await readNext(filters)
  expect(next.body.records.map(({ userId, action }: Record<string, string>) => [userId, action])).toEqual([
    ['2', 'warn'],
  ])
  const rest = await readNext({ userId: '2,1', action: 'note,warn', limit: '50' })
  expect(rest.body.records).toHaveLength(3)
})

test('a cursor with other filters or of another list is rejected', async () => {
  const { filters, readNext } = await openList()
  for (const query of [
    { action: 'warn,note' },
    { ...filters, action: 'warn' },
    { ...filters, userId: '1' },
    { ...filters, severity: 'low' },
    { ...filters, banHistory: 'true' },
  ]) {
    const { status, body } = await readNext(query)
    expect([query, status, body.error]).toEqual([query, 400, MISMATCH])
  }
})

test('a cursor of a read with POST is bound to the filters, in the query or in the body', async () => {
  const { ban, toPath, key } = await openModerationFixture(instance)
  for (const userId of ['1', '1', '2', '2']) await ban(userId)
  const read = (query: Record<string, string>, body: object) =>
    instance.request('POST', toPath({ limit: '1', banHistory: 'true', ...query }), { key, body })
  const cursor: string = (await read({}, { userId: '1' })).body.nextCursor
  expect((await read({ cursor }, { userId: '1' })).body.history).toHaveLength(1)
  expect((await read({ cursor, userId: '1' }, {})).body.history).toHaveLength(1)
  expect((await read({ cursor }, { userId: '2' })).body.error).toBe(MISMATCH)
})

test('cursors of events and departments are bound to their filters', async () => {
  const { createEvent, readEvents, workspace, credentials } = await openEventsFixture(instance)
  for (const title of ['A', 'B']) await createEvent({ title })
  const { nextCursor: cursor } = (await readEvents({ limit: '1', eventType: 'event' })).body
  expect((await readEvents({ cursor, eventType: 'event' })).body.events).toHaveLength(1)
  expect((await readEvents({ cursor })).body.error).toBe(MISMATCH)
  const path = `/api/departments?workspaceId=${workspace.id}`
  for (const name of ['A', 'B', 'C']) {
    const { status } = await instance.request('POST', path, { ...credentials, body: { name } })
    expect(status).toBe(200)
  }
  const page = await instance.request('GET', `${path}&limit=1`, credentials)
  const next = `${path}&cursor=${page.body.nextCursor}`
  expect((await instance.request('GET', next, credentials)).body.departments).toHaveLength(2)
  expect((await instance.request('GET', `${next}&deleted=true`, credentials)).body.error).toBe(MISMATCH)
})
