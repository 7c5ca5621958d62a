import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const CLOSED = 'You are banned permanently. Reason: Exploiting.'

/** A permanent ban, and what each route tells the player about it. */
async function openBan() {
  const desk = await openAppeals(instance)
  const { workspaceId, key, act, ban, judge, ownerSession, staff, submit } = desk
  const record = await ban()
  const { id, appealCode: code } = record
  const open = `${CLOSED} You can appeal. Appeal code: ${code}`
  expect(record.message).toBe(open)

  const list = async (query: string, headers = {}) =>
    instance.request('GET', `/api/moderation?workspaceId=${workspaceId}&${query}`, { key, headers })
  const check = async (tag = '') =>
    (
      await instance.request('POST', '/api/moderation/check', {
        key,
        body: { workspaceId, userIds: '261,8', ...(tag && { tag }) },
      })
    ).body
  /** What the player reads, which is the same everywhere. The code stays, with which the player reads the decision. */
  const readMessage = async (): Promise<string> => {
    const shown = [
      ...(await list('banList=true&userId=261')).body.bans,
      ...(await list('banList=true&userId=261,8')).body.bans,
      ...(await check()).bans,
      ...(await list('userId=261&status=active')).body.records,
      (await list(`id=${id}`)).body.record,
      (await act(ownerSession, { action: 'comment', id, value: 'Looked at it' })).body.record,
    ]
    expect(shown.map(({ appealCode }) => appealCode)).toEqual(Array(6).fill(code))
    const messages = new Set<string>(shown.map(({ message }) => message))
    expect(messages.size).toBe(1)
    return [...messages][0] ?? ''
  }
  /** What a game server and a bot have cached before a change. @returns whether they are told that it is still right */
  const openCaches = async () => {
    const { tag } = await check()
    const { headers } = await list('banList=true&userId=261')
    const etag = headers.get('etag') ?? ''
    return async () => ({
      check: (await check(tag)).unchanged === 'true',
      list: (await list('banList=true&userId=261', { 'if-none-match': etag })).status === 304,
    })
  }
  const decide = async (fields: object) => {
    const { body } = await submit(code)
    const session = await instance.session(judge.accountId)
    const decided = await staff('decide', session, { id: body.appeal.id, ...fields })
    expect(decided.status).toBe(200)
  }
  return { ...desk, code, open, readMessage, openCaches, decide }
}

const FRESH = { check: true, list: true }
const CHANGED = { check: false, list: false }

describe('the message for a banned player', () => {
  test('offers no appeal after a final denial', async () => {
    const { open, readMessage, openCaches, decide } = await openBan()
    expect(await readMessage()).toBe(open)
    const areFresh = await openCaches()
    expect(await areFresh()).toEqual(FRESH)
    await decide({ decision: 'denied', final: true })
    expect(await areFresh()).toEqual(CHANGED)
    expect(await readMessage()).toBe(CLOSED)
  })

  test('offers no appeal while the workspace has them switched off', async () => {
    const { configure, open, readMessage, openCaches } = await openBan()
    const areFresh = await openCaches()
    await configure({ enabled: false })
    expect(await areFresh()).toEqual(CHANGED)
    expect(await readMessage()).toBe(CLOSED)
    await configure({ enabled: true })
    expect(await readMessage()).toBe(open)
  })

  test('says after a denial when the next appeal is possible', async () => {
    const { code, readMessage, decide, read } = await openBan()
    await decide({ decision: 'denied' })
    const message = await readMessage()
    const [, from = ''] = /You can appeal from (.*) UTC\. Appeal code: /.exec(message) ?? []
    const { appealableFrom } = (await read(code)).body
    const waitMs = Date.parse(`${from} UTC`) - Date.parse(appealableFrom)
    expect(waitMs).toBeGreaterThanOrEqual(0)
    expect(waitMs).toBeLessThan(60_000)
  })

  test('offers no appeal after the last one that is possible', async () => {
    const { code, readMessage, send, submit } = await openBan()
    for (let round = 0; round < 10; round++) {
      await submit(code)
      await send({ code, action: 'withdraw' })
    }
    expect(await readMessage()).toBe(CLOSED)
  })

  test('offers no appeal once the time for it is over, which ends what was cached', async () => {
    const desk = await openAppeals(instance)
    await desk.configure({ windowDays: 3 })
    const { workspaceId, key } = desk
    await desk.ban()
    const query = `/api/moderation?workspaceId=${workspaceId}&banList=true&userId=261`
    const check = async (tag?: string) =>
      (
        await instance.request('POST', '/api/moderation/check', {
          key,
          body: { workspaceId, userIds: '261', ...(tag && { tag }) },
        })
      ).body
    const { tag, bans } = await check()
    expect(bans[0].message).toMatch(/ You can appeal until .* UTC\. Appeal code: /)
    const { headers } = await instance.request('GET', query, { key })
    const cached = { 'if-none-match': headers.get('etag') ?? '' }
    instance.clock.advance(3 * DAY - 1)
    expect((await check(tag)).unchanged).toBe('true')
    expect((await instance.request('GET', query, { key, headers: cached })).status).toBe(304)
    instance.clock.advance(1)
    const after = await check(tag)
    expect(after.bans[0].message).toBe(CLOSED)
    expect((await check(after.tag)).unchanged).toBe('true')
    const { body } = await instance.request('GET', query, { key, headers: cached })
    expect(body.bans[0].message).toBe(CLOSED)
  })

  test('has the appeal code as it is, whatever direction the reason gives to the text after it', async () => {
    const { ban } = await openAppeals(instance)
    const named = await ban({ reason: 'Pretends to be \u2068\u05d3\u05d9\u05df\u2069, as \u202Enibor' })
    expect(named.reason).toBe('Pretends to be \u2068\u05d3\u05d9\u05df\u2069, as \u202Enibor')
    expect(named.message).toBe(
      'You are banned permanently. Reason: Pretends to be \u05d3\u05d9\u05df, as nibor. ' +
        `You can appeal. Appeal code: ${named.appealCode}`,
    )
  })
})
