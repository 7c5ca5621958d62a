import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { type ModerationFixture, openModerationFixture, toSummary } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

const MANY = 100
const times = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, index) => make(index)))
const statuses = (responses: readonly TestResponse[]) => {
  const counts: Record<string, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const history = async () => (await fixture.get({ banHistory: 'true', limit: '200' })).body.history

describe('concurrent requests', () => {
  test('a hundred bans of one player leave one active and the others superseded', async () => {
    const responses = await times((index) => fixture.act({ action: 'ban', userId: '1', reason: `${index}` }))
    expect(statuses(responses)).toEqual({ 200: MANY })
    const all: { caseNumber: string; status: string; sequence: string }[] = await history()
    expect(all.map(({ status }) => status)).toEqual(['active', ...Array(MANY - 1).fill('superseded')])
    expect(all.map(({ caseNumber }) => Number(caseNumber))).toEqual(
      Array.from({ length: MANY }, (_, index) => MANY - index),
    )
    expect(new Set(all.map(({ sequence }) => sequence)).size).toBe(MANY)
    expect(await fixture.listActiveBans('1')).toEqual([all[0]])
  })

  test('of a hundred bans that replace none, one is imposed', async () => {
    const request = { action: 'ban', userId: '1', reason: 'x', replaces: null }
    expect(statuses(await times(() => fixture.act(request)))).toEqual({ 200: 1, 409: MANY - 1 })
    expect(await history()).toHaveLength(1)
  })

  test('a hundred repeats under one Idempotency-Key have one effect and one response', async () => {
    const body = { action: 'ban', userId: '1', reason: 'x' }
    const headers = { 'idempotency-key': 'once' }
    const responses = await times(() => fixture.act(body, { headers }))
    const kinds = new Set(responses.map(({ status }) => status))
    // A repeat during the first request gets a conflict, and may be sent again.
    expect([...kinds].filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(kinds.has(200)).toBe(true)
    const later = await times(() => fixture.act(body, { headers }))
    expect(new Set(later.map(({ text }) => text)).size).toBe(1)
    expect(later.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true)
    expect(await history()).toEqual([toSummary(later[0]?.body.record)])
  })

  test('a hundred lifts of one ban are one lift and ninety-nine conflicts', async () => {
    await fixture.ban('1')
    const responses = await times(() => fixture.act({ action: 'unban', userId: '1' }))
    expect(statuses(responses)).toEqual({ 200: 1, 409: MANY - 1 })
    expect((await history())[0]).toMatchObject({ status: 'revoked', version: '2' })
  })

  test('a hundred edits of one version succeed once', async () => {
    const { id } = await fixture.ban('1')
    const headers = { 'if-match': '"1"' }
    const responses = await times((index) =>
      fixture.act({ action: 'edit', id, reason: `${index}` }, { headers }),
    )
    expect(statuses(responses)).toEqual({ 200: 1, 412: MANY - 1 })
  })

  test('more than a hundred comments fill a record exactly to its limit, and none is lost', async () => {
    const { id } = await fixture.ban('1')
    await fixture.actOk({ action: 'comment', id, value: 'first' })
    const responses = await times((index) => fixture.act({ action: 'comment', id, value: `${index}` }))
    expect(statuses(responses)).toEqual({ 200: MANY - 1, 409: 1 })
    const { record } = await fixture.getRecord(id)
    expect(record.comments).toHaveLength(MANY)
    expect(new Set(record.comments.map(({ text }: { text: string }) => text)).size).toBe(MANY)
    expect(record.version).toBe(String(MANY + 1))
  })

  test('bans and lifts of one player leave at most one active ban, which the ban check finds', async () => {
    await times((index) =>
      fixture.act(
        index % 2 ? { action: 'unban', userId: '1' } : { action: 'ban', userId: '1', reason: `${index}` },
      ),
    )
    const active = (await history()).filter(({ status }: { status: string }) => status === 'active')
    expect(active.length).toBeLessThanOrEqual(1)
    expect(await fixture.listActiveBans('1')).toEqual(active)
  })
})
