import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { openFeedFixture } from '../changes/fixture.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
beforeEach(async () => {
  feed = await openFeedFixture(instance)
})

const usageOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('usage').select(['endpoint', 'calls']).where('workspace_id', '=', p.workspaceId),
)

const checkOk = async (body: Record<string, unknown>) => {
  const response = await feed.check(body)
  expect(response.status, response.text).toBe(200)
  return response.body
}

describe('the check of a game server', () => {
  test('lists the bans and mutes in force of its players, and nobody else', async () => {
    const ban = await feed.ban('1', { durationSeconds: '60' })
    const mute = await feed.actOk({ action: 'mute', userId: '2', reason: 'Loud' })
    await feed.ban('3')
    await feed.ban('4')
    await feed.actOk({ action: 'unban', userId: '4' })
    const { tag, ...checked } = await checkOk({ userIds: '1,2,4,5' })
    const present = (kind: string, record: Record<string, string>) => ({
      kind,
      userId: record.userId,
      recordId: record.id,
      caseNumber: record.caseNumber,
      expiresAt: record.expiresAt,
      reason: record.reason,
      appealCode: record.appealCode,
      message: record.message,
    })
    expect(checked).toEqual({
      bans: [present('ban', ban)],
      mutes: [present('mute', mute)],
      now: feed.timeFromNow(),
    })
    expect(tag).toMatch(/^[\w-]+$/)
    instance.clock.advance(60_000)
    expect((await checkOk({ userIds: '1' })).bans).toEqual([])
  })

  test('says that nothing has changed until a record changes, a sanction expires, or the players are others', async () => {
    await feed.ban('1', { durationSeconds: '60' })
    const { tag } = await checkOk({ userIds: '1,2' })
    expect(await checkOk({ userIds: '2,1', tag })).toEqual({
      unchanged: 'true',
      tag,
      now: feed.timeFromNow(),
    })
    expect((await checkOk({ userIds: '1,2,3', tag })).bans).toHaveLength(1)
    instance.clock.advance(60_000)
    const expired = await checkOk({ userIds: '1,2', tag })
    expect(expired.bans).toEqual([])
    await feed.ban('2')
    const banned = await checkOk({ userIds: '1,2', tag: expired.tag })
    expect(banned.bans).toHaveLength(1)
    expect((await checkOk({ userIds: '1,2', tag: banned.tag })).unchanged).toBe('true')
  })

  test('reads nothing from the database while nothing has changed', async () => {
    const { tag } = await checkOk({ userIds: '1,2' })
    await instance.flush()
    const reads: unknown[] = []
    const { first, all } = instance.db.read
    const read = instance.db.read as { first: unknown; all: unknown }
    read.first = (...args: never) => {
      reads.push(args[0])
      return (first as (...args: never) => unknown)(...args)
    }
    read.all = (...args: never) => {
      reads.push(args[0])
      return (all as (...args: never) => unknown)(...args)
    }
    try {
      expect((await checkOk({ userIds: '1,2', tag })).unchanged).toBe('true')
      expect(reads).toEqual([])
      expect((await checkOk({ userIds: '1,2' })).bans).toEqual([])
      expect(reads).toHaveLength(2)
    } finally {
      Object.assign(instance.db.read, { first, all })
    }
  })

  test('takes 700 players, and names the field of one more, of none and of an invalid tag', async () => {
    const players = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join()
    await feed.ban('700')
    expect((await checkOk({ userIds: players(700) })).bans).toHaveLength(1)
    for (const [body, message] of [
      [{ userIds: players(701) }, 'userIds: must list at most 700 players'],
      [{}, 'userIds: is required'],
      [{ userIds: '' }, 'userIds: must name at least one player'],
      [{ userIds: '1', tag: '"' }, 'tag: '],
    ] as const) {
      const { status, body: error } = await feed.check(body)
      expect([status, error.error]).toEqual([400, expect.stringMatching(RegExp(`^${message}`))])
    }
  })

  test('is the same under the legacy prefix, counts once as moderation, and follows its control', async () => {
    const legacy = await instance.request(
      'POST',
      `${LEGACY_PREFIX}/moderation/check?workspaceId=${feed.id}`,
      {
        key: feed.key,
        body: { userIds: '1' },
      },
    )
    expect([legacy.status, legacy.body.bans]).toEqual([200, []])
    await checkOk({ userIds: '1' })
    await feed.read('/snapshot', {})
    await instance.flush()
    expect(await instance.db.read.all(usageOf, { workspaceId: feed.id })).toEqual([
      { endpoint: 'moderation', calls: 3 },
    ])
    const { setEndpointControl } = createWorkspaceRequests(instance, feed)
    await setEndpointControl('moderation', 'read_only')
    expect((await feed.check({ userIds: '1' })).status).toBe(200)
    await setEndpointControl('moderation', 'off', 'Closed')
    const rejected = await feed.check({ userIds: '1' })
    expect([rejected.status, rejected.body.reason, rejected.body.error]).toEqual([
      403,
      'endpoint_disabled',
      'Closed',
    ])
    expect((await feed.read('/snapshot', {})).body.reason).toBe('endpoint_disabled')
  })

  test('works in an archived workspace, and requires the permission to view moderation', async () => {
    await feed.ban('1')
    const { workspaces } = createWorkspaceRequests(instance, feed)
    await workspaces({ id: feed.id, archive: true })
    expect((await checkOk({ userIds: '1' })).bans).toHaveLength(1)
    const key = await instance.key(feed.id, ['moderation.ban'])
    const rejected = await feed.check({ userIds: '1' }, { key })
    expect([rejected.status, rejected.body.permission]).toEqual([403, 'moderation.view'])
  })
})
