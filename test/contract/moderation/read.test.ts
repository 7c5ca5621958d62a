import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { listIds, type ModerationFixture, openModerationFixture, SECOND, toSummary } from './fixture.ts'

let instance: Instance
let fixture: ModerationFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openModerationFixture(instance)
})
afterAll(() => instance.close())

describe('the ban check', () => {
  const request = async (
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body?: object,
  ) => {
    const search = new URLSearchParams({ workspaceId: fixture.id, ...query })
    return (await instance.request(method, `/api/${path}?${search}`, { key: fixture.key, body })).body
  }

  const listPlayers = (rows: readonly { readonly userId: string }[]) =>
    [...new Set(rows.map(({ userId }) => userId))].sort()

  test('returns [] for a player who is not banned, and the ban of one who is', async () => {
    expect(await fixture.listActiveBans('1')).toEqual([])
    const record = await fixture.ban('1')
    expect(await fixture.listActiveBans('1')).toEqual([toSummary(record)])
    expect(await fixture.listActiveBans('2')).toEqual([])
  })

  test('is the same for GET and POST, with the player in query or body, with or without a body', async () => {
    await fixture.ban('1')
    const expected = (await fixture.get({ banList: 'true', userId: '1' })).body
    expect(expected.bans).toHaveLength(1)
    const query = { banList: 'true', userId: '1' }
    const calls = [
      instance.request('POST', fixture.toPath(query), { key: fixture.key }),
      instance.request('POST', fixture.toPath(query), { key: fixture.key, body: '' }),
      instance.request('POST', fixture.toPath(query), { key: fixture.key, body: {} }),
      instance.request('POST', fixture.toPath({ banList: '1' }), { key: fixture.key, body: { userId: 1 } }),
      instance.request('POST', `/api/moderation?banList=true`, {
        key: fixture.key,
        body: { workspaceId: fixture.id, userId: '1' },
      }),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(200)
      expect(body).toEqual(expected)
    }
  })

  test('returns every ban of 200 players on one page', async () => {
    const players = Array.from({ length: 200 }, (_, index) => `p${index}`)
    for (const player of players) await fixture.ban(player)
    const { body } = await fixture.get({ banList: 'true', userId: players.join() })
    expect(body.nextCursor).toBeNull()
    expect(body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(players.toReversed())
  })

  test('of many players is paged if a limit is set', async () => {
    for (const player of ['1', '2', '3']) await fixture.ban(player)
    const first = await fixture.get({ banList: 'true', userId: '1,2,3,4', limit: '2' })
    expect(first.body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(['3', '2'])
    const next = await fixture.get({
      banList: 'true',
      userId: '1,2,3,4',
      limit: '2',
      cursor: first.body.nextCursor,
    })
    expect(next.body.bans.map(({ userId }: { userId: string }) => userId)).toEqual(['1'])
    expect(next.body.nextCursor).toBeNull()
  })

  test.each([
    ['all players', {}],
    ['named players', { userId: '1,2,3' }],
  ])(
    'of %s lacks a player who is banned again between two pages; the requests that the docs name do not',
    async (_, filter) => {
      for (const player of ['1', '2', '3']) await fixture.ban(player)
      const query = { banList: 'true', limit: '2', ...filter }
      const first = (await fixture.get(query)).body
      const snapshot = await request('GET', 'changes/snapshot', { limit: '2' })
      const again = await fixture.ban('1')
      const last = (await fixture.get({ ...query, cursor: first.nextCursor })).body
      expect(listPlayers([...first.bans, ...last.bans])).toEqual(['2', '3'])
      expect(last.nextCursor).toBeNull()
      const { sequence, epoch, nextCursor } = snapshot
      const rest = await request('GET', 'changes/snapshot', { limit: '2', cursor: nextCursor })
      const { changes } = await request('GET', 'changes', { since: sequence, epoch })
      expect(listPlayers([...snapshot.sanctions, ...rest.sanctions, ...changes])).toEqual(['1', '2', '3'])
      expect(changes).toMatchObject([{ op: 'set', userId: '1', recordId: again.id }])
      const check = await request('POST', 'moderation/check', {}, { userIds: '1,2,3' })
      expect(listPlayers(check.bans)).toEqual(['1', '2', '3'])
    },
  )

  test('is empty from the millisecond of the expiry', async () => {
    await fixture.ban('1', { durationSeconds: 60 })
    instance.clock.advance(60 * SECOND - 1)
    expect(await fixture.listActiveBans('1')).toHaveLength(1)
    expect(await fixture.listActiveBans()).toHaveLength(1)
    instance.clock.advance(1)
    expect(await fixture.listActiveBans('1')).toEqual([])
    expect(await fixture.listActiveBans()).toEqual([])
  })

  test('ignores mutes, kicks, warnings and notes', async () => {
    for (const action of ['mute', 'kick', 'warn', 'note'])
      await fixture.actOk({ action, userId: '1', reason: 'x' })
    expect(await fixture.listActiveBans('1')).toEqual([])
  })

  test('compares every character of a player id', async () => {
    await fixture.ban('Abc')
    expect(await fixture.listActiveBans('abc')).toEqual([])
    expect(await fixture.listActiveBans('Abc')).toHaveLength(1)
  })

  test('ignores bans of the same player in other workspaces', async () => {
    const other = await openModerationFixture(instance)
    await other.ban('1')
    expect(await fixture.listActiveBans('1')).toEqual([])
    expect(await fixture.listActiveBans('1,2')).toEqual([])
    expect(await fixture.listActiveBans()).toEqual([])
  })
})

describe('reading', () => {
  test('returns records newest first, without gaps or duplicates across pages', async () => {
    const createdIds: string[] = []
    for (let index = 0; index < 7; index++) {
      createdIds.push((await fixture.actOk({ action: 'note', userId: '1', reason: `${index}` })).id)
    }
    const seenIds: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await fixture.get({ limit: '3', ...(cursor === null ? {} : { cursor }) })
      seenIds.push(...listIds(body.records))
      cursor = body.nextCursor
      // Records added meanwhile are newer than the page, so they shift nothing.
      await fixture.actOk({ action: 'note', userId: '2', reason: 'meanwhile' })
    } while (cursor !== null)
    expect(seenIds).toEqual(createdIds.toReversed())
  })

  test('returns a history of active and ended bans, with the status of each', async () => {
    await fixture.actOk({ action: 'warn', userId: '1', reason: 'x' })
    await fixture.ban('1')
    await fixture.actOk({ action: 'unban', userId: '1', reason: 'Appeal heard' })
    await fixture.ban('1', { durationSeconds: 1 })
    instance.clock.advance(SECOND)
    await fixture.ban('2')
    const history = async (query: Record<string, string> = {}) =>
      (await fixture.get({ banHistory: 'true', ...query })).body.history
    expect(await history()).toMatchObject([
      { userId: '2', status: 'active' },
      { userId: '1', status: 'expired' },
      { userId: '1', status: 'revoked', revokeReason: 'Appeal heard' },
    ])
    expect(await history({ userId: '2' })).toHaveLength(1)
    expect(await history({ userId: '1,2' })).toHaveLength(3)
    const { body } = await instance.request('POST', fixture.toPath({ banHistory: 'true' }), {
      key: fixture.key,
    })
    expect(body.history).toEqual(await history())
  })

  test('has the number of comments and pieces of evidence in lists and ban checks, and their texts in one record', async () => {
    const { id } = await fixture.ban('1', { evidence: 'a\nb' })
    await fixture.actOk({ action: 'comment', id, value: 'Seen again' })
    await fixture.actOk({ action: 'evidence', id, value: 'c' })
    const { record, versions } = await fixture.getRecord(id)
    const counts = { evidenceCount: '3', commentCount: '1' }
    expect(record).toMatchObject({ evidence: ['a', 'b', 'c'], comments: [{ text: 'Seen again' }] })
    expect(Object.keys(record)).not.toContain('evidenceCount')
    expect(versions.map((version: { evidence: string[] }) => version.evidence)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    const lists = await Promise.all(
      [
        {},
        { banHistory: 'true' },
        { banList: 'true' },
        { banList: 'true', userId: '1,2' },
        { text: 'again' },
        { caseNumber: '1' },
      ].map((query) => fixture.get(query as Record<string, string>)),
    )
    for (const { body } of lists) {
      expect(body.records ?? body.history ?? body.bans).toEqual([{ ...toSummary(record), ...counts }])
    }
    const edited = await fixture.actOk({ action: 'edit', id, evidence: 'd' })
    expect(edited.evidence).toEqual(['d'])
    expect((await fixture.listActiveBans('1'))[0]).toMatchObject({ ...counts, evidenceCount: '1' })
    await fixture.actOk({ action: 'redact', id, reason: 'x' })
    expect((await fixture.listActiveBans('1'))[0]).toMatchObject({ evidenceCount: '0', commentCount: '0' })
  })

  test('lists records of every action for an empty POST', async () => {
    const note = await fixture.actOk({ action: 'note', userId: '1', reason: 'x' })
    for (const body of [undefined, '', {}]) {
      const response = await instance.request('POST', fixture.toPath({}), { key: fixture.key, body })
      expect(response.body).toEqual({ records: [toSummary(note)], nextCursor: null })
    }
  })

  test('filters by player, actor, severity and status, in every list', async () => {
    const other = await instance.key(fixture.id)
    const ownKeyRecord = await fixture.ban('1', { severity: 'low' })
    const otherKeyRecord = await fixture.actOk(
      { action: 'ban', userId: '2', reason: 'x', durationSeconds: 60 },
      { key: other },
    )
    for (const [flag, name] of [
      ['banList', 'bans'],
      ['banHistory', 'history'],
      ['', 'records'],
    ] as const) {
      const search = async (query: Record<string, string>) =>
        listIds((await fixture.get({ ...(flag ? { [flag]: 'true' } : {}), ...query })).body[name])
      expect(await search({ userId: '1' })).toEqual([ownKeyRecord.id])
      expect(await search({ userId: '1,2' })).toEqual([otherKeyRecord.id, ownKeyRecord.id])
      expect(await search({ actorUserId: otherKeyRecord.actorUserId })).toEqual([otherKeyRecord.id])
      expect(await search({ actorUserId: otherKeyRecord.actorUserId, userId: '1' })).toEqual([])
      expect(await search({ severity: 'low' })).toEqual([ownKeyRecord.id])
      expect(await search({ status: 'active' })).toEqual([otherKeyRecord.id, ownKeyRecord.id])
      expect(await search({ status: 'revoked' })).toEqual([])
      expect(await search({ actorUserId: 'nobody' })).toEqual([])
    }
  })

  test('filters by the status at the time of the request', async () => {
    const expiring = await fixture.ban('1', { durationSeconds: 60 })
    const superseded = await fixture.ban('2', { durationSeconds: 60 })
    const active = await fixture.ban('2')
    const revoked = await fixture.ban('3')
    await fixture.actOk({ action: 'revoke', id: revoked.id, reason: 'Wrong player' })
    const search = async (status: string) => listIds((await fixture.get({ status })).body.records)
    expect(await search('expired')).toEqual([])
    expect(await search('active')).toEqual([active.id, expiring.id])
    instance.clock.advance(60 * SECOND)
    expect(await search('expired')).toEqual([expiring.id])
    expect(await search('active')).toEqual([active.id])
    expect(await search('superseded')).toEqual([superseded.id])
    expect(await search('revoked')).toEqual([revoked.id])
    // A ban that is replaced after its expiry keeps the status expired.
    await fixture.ban('1')
    expect(await search('expired')).toEqual([expiring.id])
  })

  test('responds to HEAD as to GET, without a body', async () => {
    const response = await instance.request('HEAD', fixture.toPath({ banList: 'true', userId: '1' }), {
      key: fixture.key,
    })
    expect([response.status, response.text]).toEqual([200, ''])
  })
})
