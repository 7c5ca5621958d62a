import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'
import {
  addNotes as addNotesOn,
  listIds as ids,
  PLAYERS_PATH,
  type PlayerNote,
  readAllPages as readAllPagesOn,
  searchPlayers as searchPlayersOn,
} from './player-fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const searchPlayers = (workspace: Workspace, query: Record<string, string>) =>
  searchPlayersOn(instance, workspace, query)
const readAllPages = (workspace: Workspace, q: string, limit?: string) =>
  readAllPagesOn(instance, workspace, q, limit)
const addNotes = (workspace: Workspace, ...notes: readonly PlayerNote[]) =>
  addNotesOn(instance, workspace, ...notes)

describe('a player', () => {
  test('is shown with names, active sanctions, the number of records and the time of the last one', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    await addNotes(workspace, ['261', 'Builder'], ['261', 'BUILDER'], ['261', 'Builderman'], ['261'])
    const banned = await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
    instance.clock.advance(60_000)
    const muted = await moderate({ action: 'mute', userId: '261', reason: 'Loud', durationSeconds: '600' })
    const now = new Date(instance.ports.now()).toISOString()
    const { status, body } = await searchPlayers(workspace, { q: '261' })
    expect(status).toBe(200)
    expect(body).toEqual({
      players: [
        {
          userId: '261',
          userUsername: 'Builderman',
          otherNames: ['BUILDER'],
          matchedName: null,
          ban: {
            id: banned.id,
            caseNumber: '5',
            reason: 'Exploiting',
            createdAt: new Date(instance.ports.now() - 60_000).toISOString(),
            occurredAt: null,
            actorUsername: expect.any(String),
            expiresAt: null,
            waitsForApproval: 'false',
            version: '1',
            otherCases: [],
          },
          mute: {
            id: muted.id,
            caseNumber: '6',
            reason: 'Loud',
            createdAt: now,
            occurredAt: null,
            actorUsername: expect.any(String),
            expiresAt: new Date(instance.ports.now() + 600_000).toISOString(),
            waitsForApproval: 'false',
            version: '1',
            otherCases: [],
          },
          openAppeals: [],
          records: '6',
          lastRecordAt: now,
        },
      ],
      nextCursor: null,
    })
  })

  test('has no sanction that expired, was lifted, or is for another player', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    await moderate({ action: 'mute', userId: '1', reason: 'Loud', durationSeconds: '60' })
    await moderate({ action: 'ban', userId: '1', reason: 'Once' })
    await moderate({ action: 'unban', userId: '1' })
    await moderate({ action: 'ban', userId: '12', reason: 'Now' })
    instance.clock.advance(60_000)
    const [one, other] = (await searchPlayers(workspace, { q: '1' })).body.players
    expect([one.ban, one.mute, other.mute]).toEqual([null, null, null])
    expect(other.ban.reason).toBe('Now')
  })

  test('is found by exact id with userId, and only if there are records', async () => {
    const workspace = await instance.workspace()
    await addNotes(workspace, ['26', 'A'], ['261', 'B'])
    expect(ids((await searchPlayers(workspace, { userId: '26' })).body.players)).toEqual(['26'])
    expect((await searchPlayers(workspace, { userId: '2' })).body).toMatchObject({
      players: [],
      nextCursor: null,
    })
  })

  test('is found by a corrected name, and no longer by the old one', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    const { id } = await moderate({ action: 'note', userId: '7', reason: 'Seen', userUsername: 'Misspelled' })
    await moderate({ action: 'edit', id, userUsername: 'Corrected' })
    expect(ids(await readAllPages(workspace, 'corr'))).toEqual(['7'])
    expect(await readAllPages(workspace, 'miss')).toEqual([])
    await moderate({ action: 'edit', id, userUsername: '' })
    expect(await readAllPages(workspace, 'corr')).toEqual([])
    expect((await searchPlayers(workspace, { userId: '7' })).body.players[0].userUsername).toBeNull()
  })
})

describe('a search', () => {
  test('finds ids by prefix, an exact match first, in pages that contain each player once', async () => {
    const workspace = await instance.workspace()
    await addNotes(workspace, ['2610'], ['26'], ['261'], ['2'], ['27'], ['126'], ['26:a'], ['26-b'], ['26'])
    expect(ids(await readAllPages(workspace, '26'))).toEqual(['26', '26-b', '261', '2610', '26:a'])
    expect(ids(await readAllPages(workspace, '26', '1'))).toEqual(['26', '26-b', '261', '2610', '26:a'])
    expect(ids(await readAllPages(workspace, '26', '5'))).toEqual(['26', '26-b', '261', '2610', '26:a'])
  })

  test('is case-sensitive for ids, but not for names', async () => {
    const workspace = await instance.workspace()
    await addNotes(workspace, ['Abc', 'Zed'], ['abd', 'ÜNÏ'], ['x1', 'ab ove'], ['x2', 'Ａｂ wide'])
    expect(ids(await readAllPages(workspace, 'ab'))).toEqual(['abd', 'x2', 'x1'])
    expect(ids(await readAllPages(workspace, 'AB'))).toEqual(['x2', 'x1'])
    expect(ids(await readAllPages(workspace, 'üNi\u0308'))).toEqual(['abd'])
    expect(ids(await readAllPages(workspace, 'zed'))).toEqual(['Abc'])
  })

  test('finds a player once who matches by id and name, or by several names', async () => {
    const workspace = await instance.workspace()
    await addNotes(
      workspace,
      ['bob1', 'Bobby'],
      ['5', 'Bob'],
      ['5', 'Bobby'],
      ['5', 'bob'],
      ['6', 'Bobo'],
      ['7', 'Bob'],
      ['8', 'Rob'],
    )
    for (const limit of ['1', '2', '3', '50']) {
      expect(ids(await readAllPages(workspace, 'bob', limit))).toEqual(['bob1', '7', '5', '6'])
    }
  })

  test('matches text that cannot be in an id against names only, and every character literally', async () => {
    const workspace = await instance.workspace()
    await addNotes(
      workspace,
      ['1', '100% safe'],
      ['2', '100x safe'],
      ['3', '_under'],
      ['4', "o'neil \u{10fffd}"],
    )
    expect(ids(await readAllPages(workspace, '100%'))).toEqual(['1'])
    expect(ids(await readAllPages(workspace, '_'))).toEqual(['3'])
    expect(ids(await readAllPages(workspace, "O'Neil \u{10fffd}"))).toEqual(['4'])
    expect(await readAllPages(workspace, "' or 1=1 --")).toEqual([])
  })

  test('finds nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await addNotes(workspace, ['261', 'Builderman'])
    expect((await searchPlayers(other, { q: '261' })).body.players).toEqual([])
    expect((await searchPlayers(other, { q: 'build' })).body.players).toEqual([])
    expect((await searchPlayers(other, { userId: '261' })).body.players).toEqual([])
  })

  test('requires exactly one of q and userId, and rejects a cursor of another list', async () => {
    const workspace = await instance.workspace()
    const findRejectedField = async (query: Record<string, string>) => {
      const { status, body } = await searchPlayers(workspace, query)
      return [status, body.details?.[0].field]
    }
    expect(await findRejectedField({})).toEqual([400, 'q'])
    expect(await findRejectedField({ q: '' })).toEqual([400, 'q'])
    expect(await findRejectedField({ q: 'a', userId: '1' })).toEqual([400, 'userId'])
    expect(await findRejectedField({ q: 'x'.repeat(101) })).toEqual([400, 'q'])
    expect(await findRejectedField({ userId: 'no id' })).toEqual([400, 'userId'])
    const cursor = Buffer.from(JSON.stringify(['audit', 1])).toString('base64url')
    expect(await findRejectedField({ q: 'a', cursor })).toEqual([400, 'cursor'])
  })

  test('requires moderation.view', async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path: PLAYERS_PATH,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id, q: '261' },
      permission: 'moderation.view',
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})

describe('the list of reasons', () => {
  const reasons = async ({ id, ownerSession }: Workspace, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ workspaceId: id, ...query })
    return instance.request('GET', `/portal/api/reasons?${search}`, { session: ownerSession })
  }

  /** Creates a record as a person. */
  const recordAsOwner = async ({ id, ownerSession }: Workspace, fields: Record<string, string>) => {
    const body = { workspaceId: id, userId: '1', ...fields }
    const response = await instance.request('POST', '/api/moderation', { session: ownerSession, body })
    expect(response.status, response.text).toBe(200)
    return response.body.record as { id: string }
  }

  test('contains each reason once with its count, last used first, for all actions or one', async () => {
    const workspace = await instance.workspace()
    const addRecord = (action: string, reason: string) => recordAsOwner(workspace, { action, reason })
    await addRecord('warn', 'Spam')
    await addRecord('ban', 'Exploiting')
    instance.clock.advance(60_000)
    await addRecord('warn', 'Spam')
    await addRecord('note', 'Asked for a mentor')
    const lastUsedAt = new Date(instance.ports.now()).toISOString()
    const first = new Date(instance.ports.now() - 60_000).toISOString()
    expect((await reasons(workspace)).body).toEqual({
      reasons: [
        { reason: 'Asked for a mentor', count: '1', lastUsedAt },
        { reason: 'Spam', count: '2', lastUsedAt },
        { reason: 'Exploiting', count: '1', lastUsedAt: first },
      ],
    })
    expect((await reasons(workspace, { action: 'ban' })).body.reasons).toEqual([
      { reason: 'Exploiting', count: '1', lastUsedAt: first },
    ])
    expect((await reasons(workspace, { limit: '1' })).body.reasons).toHaveLength(1)
    expect((await reasons(workspace, { action: 'kick' })).body.reasons).toEqual([])
  })

  test('contains what people wrote, however many records API keys have created since', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    await recordAsOwner(workspace, { action: 'ban', reason: 'Speed hacking in the arena' })
    await moderate({ action: 'ban', userId: '2', reason: 'Detected by the anti-cheat: 1' })
    await instance.db.write((tx) => tx.run(advanceCaseNumber, { workspaceId: workspace.id, increment: 5000 }))
    await moderate({ action: 'ban', userId: '2', reason: 'Detected by the anti-cheat: 2' })
    const { body } = await reasons(workspace, { action: 'ban' })
    expect(body.reasons.map(({ reason }: { reason: string }) => reason)).toEqual([
      'Speed hacking in the arena',
    ])
  })

  test('has one entry for reasons that differ only in case or spacing, in the newest spelling', async () => {
    const workspace = await instance.workspace()
    for (const reason of ['Spam in chat', 'spam  in CHAT', 'Spam in\nchat', 'Begging', 'Spam In Chat']) {
      await recordAsOwner(workspace, { action: 'mute', reason })
    }
    const { body } = await reasons(workspace, { action: 'mute' })
    expect(body.reasons).toMatchObject([
      { reason: 'Spam In Chat', count: '4' },
      { reason: 'Begging', count: '1' },
    ])
  })

  test('never contains redacted reasons or those of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const { moderate } = createWorkspaceRequests(instance, workspace)
    const { id } = await recordAsOwner(workspace, { action: 'ban', reason: 'Private' })
    await moderate({ action: 'redact', id, reason: 'Asked for' })
    expect((await reasons(workspace)).body.reasons).toEqual([])
    await recordAsOwner(workspace, { action: 'ban', reason: 'Theirs' })
    expect((await reasons(other)).body.reasons).toEqual([])
  })

  test('rejects an action that creates no record, and requires moderation.view', async () => {
    const workspace = await instance.workspace()
    const { status, body } = await reasons(workspace, { action: 'unban' })
    expect([status, body.details[0].field]).toEqual([400, 'action'])
    await expectAccessRules(instance, {
      method: 'GET',
      path: '/portal/api/reasons',
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'moderation.view',
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})

const advanceCaseNumber = statement<{ workspaceId: string; increment: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ case_number: eb('case_number', '+', p.increment) }))
    .where('workspace_id', '=', p.workspaceId),
)
