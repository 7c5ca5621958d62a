import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Desk, ids, openDesk, SECOND } from './desk.ts'

let instance: Instance
let desk: Desk

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  desk = await openDesk(instance)
})
afterAll(() => instance.close())

describe('the ban check', () => {
  test('answers [] for a player who is not banned, and the ban of one who is', async () => {
    expect(await desk.bans('1')).toEqual([])
    const record = await desk.ban('1')
    expect(await desk.bans('1')).toEqual([record])
    expect(await desk.bans('2')).toEqual([])
  })

  test('is the same by GET and by POST, with the player in query or body, with a body or none', async () => {
    await desk.ban('1')
    const expected = (await desk.get({ banList: 'true', userId: '1' })).body
    expect(expected.bans).toHaveLength(1)
    const asked = { banList: 'true', userId: '1' }
    const calls = [
      instance.call('POST', desk.at(asked), { key: desk.key }),
      instance.call('POST', desk.at(asked), { key: desk.key, body: '' }),
      instance.call('POST', desk.at(asked), { key: desk.key, body: {} }),
      instance.call('POST', desk.at({ banList: '1' }), { key: desk.key, body: { userId: 1 } }),
      instance.call('POST', `/api/moderation?banList=true`, {
        key: desk.key,
        body: { workspaceId: desk.id, userId: '1' },
      }),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(200)
      expect(body).toEqual(expected)
    }
  })

  test('answers for 200 players in one call, without being cut short', async () => {
    const players = Array.from({ length: 200 }, (_, index) => `p${index}`)
    for (const player of players) await desk.ban(player)
    const { body } = await desk.get({ banList: 'true', userId: players.join() })
    expect(body.nextCursor).toBeNull()
    expect(body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(players.toReversed())
  })

  test('of many players is paged where a limit says so', async () => {
    for (const player of ['1', '2', '3']) await desk.ban(player)
    const first = await desk.get({ banList: 'true', userId: '1,2,3,4', limit: '2' })
    expect(first.body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(['3', '2'])
    const next = await desk.get({
      banList: 'true',
      userId: '1,2,3,4',
      limit: '2',
      cursor: first.body.nextCursor,
    })
    expect(next.body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(['1'])
    expect(next.body.nextCursor).toBeNull()
  })

  test('lets a player in from the very millisecond at which the ban ends', async () => {
    await desk.ban('1', { durationSeconds: 60 })
    instance.clock.advance(60 * SECOND - 1)
    expect(await desk.bans('1')).toHaveLength(1)
    expect(await desk.bans()).toHaveLength(1)
    instance.clock.advance(1)
    expect(await desk.bans('1')).toEqual([])
    expect(await desk.bans()).toEqual([])
  })

  test('knows nothing of mutes, kicks, warnings and notes', async () => {
    for (const action of ['mute', 'kick', 'warn', 'note'])
      await desk.done({ action, userId: '1', reason: 'x' })
    expect(await desk.bans('1')).toEqual([])
  })

  test('tells players apart by every character of their ids', async () => {
    await desk.ban('Abc')
    expect(await desk.bans('abc')).toEqual([])
    expect(await desk.bans('Abc')).toHaveLength(1)
  })

  test('is not touched by bans of the same player elsewhere', async () => {
    const other = await openDesk(instance)
    await other.ban('1')
    expect(await desk.bans('1')).toEqual([])
    expect(await desk.bans('1,2')).toEqual([])
    expect(await desk.bans()).toEqual([])
  })
})

describe('reading', () => {
  test('the records come newest first, page by page, without gaps or doubles', async () => {
    const made: string[] = []
    for (let index = 0; index < 7; index++) {
      made.push((await desk.done({ action: 'note', userId: '1', reason: `${index}` })).id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await desk.get({ limit: '3', ...(cursor === null ? {} : { cursor }) })
      seen.push(...ids(body.records))
      cursor = body.nextCursor
      // What is added meanwhile is newer than the page, so it shifts nothing.
      await desk.done({ action: 'note', userId: '2', reason: 'meanwhile' })
    } while (cursor !== null)
    expect(seen).toEqual(made.toReversed())
  })

  test('the history holds bans in force or not, and tells how each ended', async () => {
    await desk.done({ action: 'warn', userId: '1', reason: 'x' })
    await desk.ban('1')
    await desk.done({ action: 'unban', userId: '1', reason: 'Appeal heard' })
    await desk.ban('1', { durationSeconds: 1 })
    instance.clock.advance(SECOND)
    await desk.ban('2')
    const history = async (query: Record<string, string> = {}) =>
      (await desk.get({ banHistory: 'true', ...query })).body.history
    expect(await history()).toMatchObject([
      { userId: '2', status: 'active' },
      { userId: '1', status: 'expired' },
      { userId: '1', status: 'revoked', revokeReason: 'Appeal heard' },
    ])
    expect(await history({ userId: '2' })).toHaveLength(1)
    expect(await history({ userId: '1,2' })).toHaveLength(3)
    const { body } = await instance.call('POST', desk.at({ banHistory: 'true' }), { key: desk.key })
    expect(body.history).toEqual(await history())
  })

  test('an empty POST lists the records of every kind', async () => {
    const note = await desk.done({ action: 'note', userId: '1', reason: 'x' })
    for (const body of [undefined, '', {}]) {
      const answer = await instance.call('POST', desk.at({}), { key: desk.key, body })
      expect(answer.body).toEqual({ records: [note], nextCursor: null })
    }
  })

  test('filters by player, by who recorded it, by severity and by status, in every list', async () => {
    const other = await instance.key(desk.id)
    const mine = await desk.ban('1', { severity: 'low' })
    const theirs = await desk.done(
      { action: 'ban', userId: '2', reason: 'x', durationSeconds: 60 },
      { key: other },
    )
    for (const [flag, name] of [
      ['banList', 'bans'],
      ['banHistory', 'history'],
      ['', 'records'],
    ] as const) {
      const found = async (query: Record<string, string>) =>
        ids((await desk.get({ ...(flag ? { [flag]: 'true' } : {}), ...query })).body[name])
      expect(await found({ userId: '1' })).toEqual([mine.id])
      expect(await found({ userId: '1,2' })).toEqual([theirs.id, mine.id])
      expect(await found({ actorUserId: theirs.actorUserId })).toEqual([theirs.id])
      expect(await found({ actorUserId: theirs.actorUserId, userId: '1' })).toEqual([])
      expect(await found({ severity: 'low' })).toEqual([mine.id])
      expect(await found({ status: 'active' })).toEqual([theirs.id, mine.id])
      expect(await found({ status: 'revoked' })).toEqual([])
      expect(await found({ actorUserId: 'nobody' })).toEqual([])
    }
  })

  test('by status finds what each status says at that moment', async () => {
    const expiring = await desk.ban('1', { durationSeconds: 60 })
    const superseded = await desk.ban('2', { durationSeconds: 60 })
    const active = await desk.ban('2')
    const revoked = await desk.ban('3')
    await desk.done({ action: 'revoke', id: revoked.id, reason: 'Wrong player' })
    const found = async (status: string) => ids((await desk.get({ status })).body.records)
    expect(await found('expired')).toEqual([])
    expect(await found('active')).toEqual([active.id, expiring.id])
    instance.clock.advance(60 * SECOND)
    expect(await found('expired')).toEqual([expiring.id])
    expect(await found('active')).toEqual([active.id])
    expect(await found('superseded')).toEqual([superseded.id])
    expect(await found('revoked')).toEqual([revoked.id])
    // Replaced after its time had passed, it is told as expired from then on.
    await desk.ban('1')
    expect(await found('expired')).toEqual([expiring.id])
  })

  test('HEAD answers as GET does, without a body', async () => {
    const answer = await instance.call('HEAD', desk.at({ banList: 'true', userId: '1' }), { key: desk.key })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})
