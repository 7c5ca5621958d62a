import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, type Instance, openInstance } from '../../support/instance.ts'
import { type Desk, openDesk } from './desk.ts'

let instance: Instance
let desk: Desk

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  desk = await openDesk(instance)
})
afterAll(() => instance.close())

const MANY = 100
const times = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, index) => make(index)))
const statuses = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const history = async () => (await desk.get({ banHistory: 'true', limit: '200' })).body.history

describe('all at once', () => {
  test('a hundred bans of one player leave one in force and the others superseded', async () => {
    const answers = await times((index) => desk.act({ action: 'ban', userId: '1', reason: `${index}` }))
    expect(statuses(answers)).toEqual({ 200: MANY })
    const all: { caseNumber: string; status: string; sequence: string }[] = await history()
    expect(all.map(({ status }) => status)).toEqual(['active', ...Array(MANY - 1).fill('superseded')])
    expect(all.map(({ caseNumber }) => Number(caseNumber))).toEqual(
      Array.from({ length: MANY }, (_, index) => MANY - index),
    )
    expect(new Set(all.map(({ sequence }) => sequence)).size).toBe(MANY)
    expect(await desk.bans('1')).toEqual([all[0]])
  })

  test('a hundred repeats under one key have one effect and one answer', async () => {
    const body = { action: 'ban', userId: '1', reason: 'x' }
    const headers = { 'idempotency-key': 'once' }
    const answers = await times(() => desk.act(body, { headers }))
    const kinds = new Set(answers.map(({ status }) => status))
    // A repeat that comes while the first is under way is told so, and may come again.
    expect([...kinds].filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(kinds.has(200)).toBe(true)
    const later = await times(() => desk.act(body, { headers }))
    expect(new Set(later.map(({ text }) => text)).size).toBe(1)
    expect(later.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true)
    expect(await history()).toEqual([later[0]?.body.record])
  })

  test('a hundred lifts of one ban are one lift and ninety-nine conflicts', async () => {
    await desk.ban('1')
    const answers = await times(() => desk.act({ action: 'unban', userId: '1' }))
    expect(statuses(answers)).toEqual({ 200: 1, 409: MANY - 1 })
    expect((await history())[0]).toMatchObject({ status: 'revoked', version: '2' })
  })

  test('of a hundred edits from one version one is made', async () => {
    const { id } = await desk.ban('1')
    const headers = { 'if-match': '"1"' }
    const answers = await times((index) => desk.act({ action: 'edit', id, reason: `${index}` }, { headers }))
    expect(statuses(answers)).toEqual({ 200: 1, 412: MANY - 1 })
  })

  test('a hundred and more comments fill a record to its limit and not beyond, and none is lost', async () => {
    const { id } = await desk.ban('1')
    await desk.done({ action: 'comment', id, value: 'first' })
    const answers = await times((index) => desk.act({ action: 'comment', id, value: `${index}` }))
    expect(statuses(answers)).toEqual({ 200: MANY - 1, 409: 1 })
    const { record } = await desk.one(id)
    expect(record.comments).toHaveLength(MANY)
    expect(new Set(record.comments.map(({ text }: { text: string }) => text)).size).toBe(MANY)
    expect(record.version).toBe(String(MANY + 1))
  })

  test('bans and lifts of one player leave at most one in force, and it is the one the check finds', async () => {
    await times((index) =>
      desk.act(
        index % 2 ? { action: 'unban', userId: '1' } : { action: 'ban', userId: '1', reason: `${index}` },
      ),
    )
    const active = (await history()).filter(({ status }: { status: string }) => status === 'active')
    expect(active.length).toBeLessThanOrEqual(1)
    expect(await desk.bans('1')).toEqual(active)
  })
})
