import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { archiveWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { openFeedFixture } from './fixture.ts'

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
beforeEach(async () => {
  feed = await openFeedFixture(instance)
})

describe('the change feed', () => {
  test('sets a player who is banned, and clears the player when the ban is lifted', async () => {
    const position = await feed.readPosition()
    const ban = await feed.ban('1', { durationSeconds: '3600' })
    const set = await feed.readChanges(position)
    expect(set).toEqual({
      changes: [
        {
          sequence: ban.sequence,
          op: 'set',
          kind: 'ban',
          userId: '1',
          recordId: ban.id,
          caseNumber: ban.caseNumber,
          expiresAt: ban.expiresAt,
          reason: 'Exploiting',
          appealCode: ban.appealCode,
        },
      ],
      next: ban.sequence,
      epoch: position.epoch,
      platforms: ['roblox'],
      more: 'false',
      now: feed.timeFromNow(),
      pollAfter: '5',
    })
    const lifted = await feed.actOk({ action: 'unban', userId: '1' })
    const cleared = await feed.readChanges({ since: set.next, epoch: set.epoch })
    expect(cleared.changes).toEqual([
      {
        ...set.changes[0],
        sequence: lifted.sequence,
        op: 'clear',
        expiresAt: null,
        reason: null,
        appealCode: null,
      },
    ])
    expect((await feed.readChanges({ since: cleared.next, epoch: set.epoch })).changes).toEqual([])
  })

  test('has one state for each kind and player: the latest, by sequence', async () => {
    const position = await feed.readPosition()
    await feed.ban('1')
    await feed.actOk({ action: 'mute', userId: '2', reason: 'Loud' })
    const replaced = await feed.ban('1', { reason: 'Again' })
    const mute = await feed.actOk({ action: 'mute', userId: '1', reason: 'Loud' })
    await feed.actOk({ action: 'unmute', userId: '2' })
    const { changes } = await feed.readChanges(position)
    expect(
      changes.map((one: Record<string, string>) => [one.op, one.kind, one.userId, one.recordId, one.reason]),
    ).toEqual([
      ['set', 'ban', '1', replaced.id, 'Again'],
      ['set', 'mute', '1', mute.id, 'Loud'],
      ['clear', 'mute', '2', expect.any(String), null],
    ])
    const bans = await feed.readChanges({ ...position, kinds: 'ban' })
    expect(bans.changes).toEqual(changes.slice(0, 1))
  })

  test('contains a ban whose reason, expiry or texts change, and one that was revoked, but no other records', async () => {
    const [edited, extended, redacted, revoked] = [
      await feed.ban('1'),
      await feed.ban('2', { durationSeconds: '60' }),
      await feed.ban('3'),
      await feed.ban('4'),
    ]
    const position = await feed.readPosition()
    await feed.actOk({ action: 'note', userId: '1', reason: 'Seen' })
    await feed.actOk({ action: 'edit', id: edited.id, reason: 'Better' })
    const { expiresAt } = await feed.actOk({ action: 'extend', id: extended.id, value: '60' })
    await feed.actOk({ action: 'redact', id: redacted.id, reason: 'Asked for' })
    await feed.actOk({ action: 'revoke', id: revoked.id, reason: 'Mistake' })
    const { changes } = await feed.readChanges(position)
    expect(
      changes.map((one: Record<string, string>) => [one.userId, one.op, one.expiresAt, one.reason]),
    ).toEqual([
      ['1', 'set', null, 'Better'],
      ['2', 'set', expiresAt, 'Exploiting'],
      ['3', 'set', null, null],
      ['4', 'clear', null, null],
    ])
  })

  test('clears a player whose ban has expired when its case is changed afterwards', async () => {
    const { id, caseNumber } = await feed.ban('1', { durationSeconds: '60' })
    await feed.ban('2')
    instance.clock.advance(60_000)
    const changes = [
      { action: 'comment', id, value: 'Played on another account' },
      { action: 'acknowledge', id },
      { action: 'edit', id, reason: 'Better' },
    ]
    for (const change of changes) {
      const position = await feed.readPosition()
      const { sequence } = await feed.actOk(change)
      expect((await feed.readChanges(position)).changes).toEqual([
        {
          ...{ sequence, op: 'clear', kind: 'ban', userId: '1', recordId: id, caseNumber },
          ...{ expiresAt: null, reason: null, appealCode: null },
        },
      ])
    }
  })

  test('is read in parts that together are complete, also over changes of other kinds', async () => {
    const position = await feed.readPosition()
    const requests = createWorkspaceRequests(instance, feed)
    for (let player = 1; player <= 5; player++) {
      await feed.ban(String(player))
      await requests.writeDepartment({ name: `Department ${player}` })
    }
    const players: string[] = []
    let query = { ...position }
    for (let isComplete = false; !isComplete; ) {
      const part = await feed.readChanges({ ...query, limit: '2' })
      expect(part.changes.length).toBeLessThanOrEqual(2)
      expect(part.pollAfter).toBe(part.more === 'true' ? '0' : '5')
      players.push(...part.changes.map(({ userId }: { userId: string }) => userId))
      query = { since: part.next, epoch: part.epoch }
      isComplete = part.more === 'false'
    }
    expect(players).toEqual(['1', '2', '3', '4', '5'])
  })

  test('says that the cursor is gone for the future and for another epoch', async () => {
    const { since, epoch } = await feed.readPosition()
    const future = await feed.read('', { since: String(Number(since) + 1), epoch })
    expect([future.status, future.body.code]).toEqual([410, 'cursor_gone'])
    expect(future.body.error).toContain('in the future')
    const other = await feed.read('', { since, epoch: '000000000000-0' })
    expect([other.status, other.body.code]).toEqual([410, 'cursor_gone'])
    expect(other.body.error).toContain('history of the workspace has changed')
  })

  test('says that the cursor is gone for a sequence more than 100,000 changes ago', async () => {
    const position = await feed.readPosition()
    // As if that many changes had happened, of which the log has none.
    await instance.storage.query(
      `update workspace_head set audit_sequence = audit_sequence + 99999 where workspace_id = ${idLiteral(feed.id)}`,
    )
    const readError = async () => {
      const { status, body } = await feed.read('', position)
      expect([status, body.code]).toEqual([410, 'cursor_gone'])
      return body.error
    }
    await feed.ban('1')
    expect(await readError()).toContain('The log does not go back to this sequence.')
    await feed.ban('2')
    expect(await readError()).toContain('This sequence is too old.')
  })

  test('names the fields that are missing or invalid', async () => {
    const fieldsOf = async (query: Record<string, string>) => {
      const { status, body } = await feed.read('', query)
      return [status, body.details.map(({ field }: { field: string }) => field)]
    }
    expect(await fieldsOf({})).toEqual([400, ['since', 'epoch']])
    expect(await fieldsOf({ since: '-1', epoch: 'x', wait: '26', kinds: 'kick', limit: '1001' })).toEqual([
      400,
      ['since', 'epoch', 'wait', 'kinds', 'limit'],
    ])
  })

  test('begins another epoch after a roll-back, whose snapshot has what is in force again', async () => {
    await feed.ban('1')
    const archive = await archiveWorkspace(instance, feed)
    const { workspaces } = createWorkspaceRequests(instance, feed)
    await workspaces({ id: feed.id, archive: false })
    await feed.actOk({ action: 'unban', userId: '1' })
    await feed.ban('2')
    const position = await feed.readPosition()
    await archiveWorkspace(instance, feed)
    expect((await feed.readChanges(position)).changes).toEqual([])
    await workspaces({ id: feed.id, fromArchive: archive.id })
    expect((await feed.read('', position)).body.code).toBe('cursor_gone')
    const { sanctions, epoch } = await feed.readSnapshot()
    expect(epoch).not.toBe(position.epoch)
    expect(sanctions.map(({ userId }: { userId: string }) => userId)).toEqual(['1'])
  })

  test('of a copy goes back to its archive only', async () => {
    await feed.ban('1')
    const archive = await archiveWorkspace(instance, feed)
    const { workspaces } = createWorkspaceRequests(instance, feed)
    const { body } = await workspaces({ fromArchive: archive.id })
    const copy = { workspaceId: body.workspace.id }
    const key = await instance.key(body.workspace.id)
    const { body: snapshot } = await feed.read('/snapshot', copy, { key })
    expect(snapshot.sanctions).toHaveLength(1)
    const since = (sequence: string) =>
      feed.read('', { ...copy, since: sequence, epoch: snapshot.epoch }, { key })
    expect((await since('0')).body.code).toBe('cursor_gone')
    expect((await since(snapshot.sequence)).body.changes).toEqual([])
  })
})
