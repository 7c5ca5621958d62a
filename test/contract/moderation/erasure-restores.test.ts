import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import { idLiteral } from '../../support/engine.ts'
import { uploadEvidence } from '../../support/evidence-upload.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import { type ErasureFixture, openErasureFixture } from './erasure-fixture.ts'
import type { Fields } from './fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const PLAYER = '7654321098'

describe('a copy of an archive from before, and a roll-back to it,', () => {
  /** Erases a player, and restores an archive from before in both ways. */
  const restore = async ({ id, post, ban, erase, session }: ErasureFixture, mode: string) => {
    const workspaces = (body: Fields) => post('/api/workspaces', { workspaceId: undefined, ...body })
    const record = await ban(PLAYER, { userUsername: 'Thistledown' })
    await ban('261')
    await post('/portal/api/pinned-notes', { recordId: record.id })
    await post('/portal/api/pinned-notes', { userId: PLAYER, text: 'Watch' })
    await post('/api/moderation/links', {
      userId: PLAYER,
      linkedUserId: '156',
      confidence: 'high',
      reason: 'Same',
    })
    const { archive } = await workspaces({ id, archive: 'true' })
    await workspaces({ id, archive: 'false' })
    await erase(PLAYER, mode)
    await workspaces({ id, archive: 'true' })
    for (const target of [{ groupName: 'Copy' }, { id }]) {
      await workspaces({ ...target, fromArchive: archive.id })
      expect(await readLastJob(instance, { id, ownerSession: session })).toMatchObject({ state: 'succeeded' })
    }
    const read = async (path: string) =>
      (await instance.request('GET', `${path}?workspaceId=${id}&limit=200`, { session })).body
    const { records } = await read('/api/moderation')
    const { links } = await read('/api/moderation/links')
    expect(
      await instance.storage.query(`select id from pinned_note where workspace_id = ${idLiteral(id)}`),
    ).toEqual([])
    const searched = await read('/api/moderation')
    expect(JSON.stringify(searched)).not.toMatch(/7654321098|Thistledown/)
    return { record, records, links }
  }

  test('leave an erased player out', async () => {
    const fixture = await openErasureFixture(instance)
    const { records, links } = await restore(fixture, 'erase')
    expect(records.map(({ userId }: Fields) => userId)).toEqual(['261'])
    expect(links).toEqual([])
    expect(await fixture.isBanned(PLAYER)).toBe(false)
    expect(await fixture.faults()).toEqual([])
  })

  test('keep a player under the pseudonym, and the ban in force', async () => {
    const fixture = await openErasureFixture(instance)
    const { record, records, links } = await restore(fixture, 'pseudonymise')
    expect(records.find(({ id }: Fields) => id === record.id)).toMatchObject({
      userId: expect.stringMatching(/^pseudonym:/),
      userUsername: null,
      reason: null,
    })
    expect(links).toEqual([])
    expect(await fixture.isBanned(PLAYER)).toBe(true)
    expect(await fixture.faults()).toEqual([])
  })
})

describe('an archive from before what it has about a player was deleted, and before the player was erased,', () => {
  const COMEBACK = 'Came back and cheated'
  /** Others, whose bans the player has lifted. */
  const LIFTED_FOR = ['157', '158']
  const OTHERS: ReadonlySet<unknown> = new Set(['261', ...LIFTED_FOR])

  /** Deletes everything about a player, erases the player, bans the player anew, and restores the archive in both ways, then one from after that. */
  const restoreDeleted = async (fixture: ErasureFixture, mode: string) => {
    const { id, post, actOk, ban, erase, session } = fixture
    const { accountId } = await instance.member(id, ['moderation.view'], 1)
    const request = (method: string, path: string, body: Fields) =>
      instance.request(method, path, { session, body: { workspaceId: id, ...body } })
    const workspaces = (body: Fields) => post('/api/workspaces', { workspaceId: undefined, ...body })
    const archive = async (): Promise<string> => {
      const created = await workspaces({ id, archive: 'true' })
      await workspaces({ id, archive: 'false' })
      return created.archive.id
    }
    /** Restores an archive of the archived workspace. */
    const restore = async (target: Fields, fromArchive: string): Promise<string> => {
      const { workspace } = await workspaces({ ...target, fromArchive })
      expect(await readLastJob(instance, { id, ownerSession: session })).toMatchObject({ state: 'succeeded' })
      return workspace.id
    }
    const rollBack = async (archiveId: string) => {
      await workspaces({ id, archive: 'true' })
      await restore({ id }, archiveId)
    }
    const empty = await archive()
    const banned = await ban(PLAYER, { userUsername: 'Thistledown' })
    await actOk({ action: 'edit', id: banned.id, reason: 'Edited about Thistledown' })
    await post('/api/appeals', { code: banned.appealCode, message: 'I am Thistledown' }, { key: fixture.key })
    await uploadEvidence(
      instance,
      { session, workspaceId: id, id: banned.id, name: 'Thistledown.txt' },
      'log of Thistledown',
    )
    await post('/portal/api/assignments', { recordId: banned.id, accountId })
    await actOk({
      action: 'note',
      userId: '261',
      reason: 'Seen',
      actorPlatformUserId: PLAYER,
      actorUsername: 'Thistledown',
    })
    for (const userId of LIFTED_FOR) await ban(userId)
    const batch = async (body: Fields) =>
      (await post('/api/moderation/batches', body, { key: fixture.key })).batch.id
    const unbanned = await batch({
      ...{ action: 'unban', userIds: LIFTED_FOR.join(), reason: 'Mistake' },
      ...{ actorPlatformUserId: PLAYER, actorUsername: 'Thistledown' },
    })
    // Now an earlier version of the second ban names the player.
    await batch({ action: 'reverse', id: unbanned, reason: 'Mistake' })
    await actOk({
      action: 'unban',
      userId: LIFTED_FOR[0],
      actorPlatformUserId: PLAYER,
      actorUsername: 'Thistledown',
    })
    await post('/portal/api/pinned-notes', { recordId: banned.id })
    await post('/portal/api/pinned-notes', { userId: PLAYER, text: 'Watch Thistledown' })
    await post('/api/moderation/links', {
      ...{ userId: '156', linkedUserId: PLAYER, confidence: 'high', reason: 'Same as Thistledown' },
    })
    await request('PATCH', '/portal/api/members/players', { accountId, userIds: PLAYER })
    const full = await archive()
    await rollBack(empty)
    await erase(PLAYER, mode)
    const download = await request('POST', '/portal/api/archive/download', { id: full })
    expect(download.body).toMatchObject({
      code: 'conflict',
      error: expect.stringContaining('a player who has been erased since'),
    })
    await ban(PLAYER, { reason: COMEBACK })
    const afterwards = await archive()
    await workspaces({ id, archive: 'true' })
    const copyId = await restore({ groupName: 'Copy' }, full)
    await restore({ id }, full)
    return { banned, copyId, rollBackToLater: () => rollBack(afterwards) }
  }

  /** Everything that a workspace has in its tables, except for its history. */
  const readTables = async (id: string) => {
    const tables = new Set(
      (await instance.storage.listColumns())
        .filter(({ column }) => column === 'workspace_id')
        .map(({ table }) => table),
    )
    const excluded = /^(audit|archive|archive_part|delivery|idempotency)$/
    const rows = await Promise.all(
      [...tables]
        .filter((table) => !excluded.test(table))
        .map((table) =>
          instance.storage.query(`select * from ${table} where workspace_id = ${idLiteral(id)}`),
        ),
    )
    return JSON.stringify(rows.flat())
  }

  const compareWithLog = async () => {
    const differences: RecordDifference[] = []
    await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
    return differences
  }

  for (const mode of ['erase', 'pseudonymise'])
    test(`restores nothing that an erasure with ${mode} would have removed, and a later one the new ban`, async () => {
      const fixture = await openErasureFixture(instance)
      const { banned, copyId, rollBackToLater } = await restoreDeleted(fixture, mode)
      for (const id of [copyId, fixture.id]) {
        expect(await readTables(id)).not.toMatch(/7654321098|Thistledown/)
        const query = `workspaceId=${id}&limit=200`
        const { records } = (
          await instance.request('GET', `/api/moderation?${query}`, { session: fixture.session })
        ).body
        const ofPlayer = records.filter(({ userId }: Fields) => !OTHERS.has(userId))
        expect(records.length - ofPlayer.length).toBe(OTHERS.size)
        if (mode === 'erase') expect(ofPlayer).toEqual([])
        else
          expect(ofPlayer).toMatchObject([
            {
              id: banned.id,
              userId: expect.stringMatching(/^pseudonym:/),
              userUsername: null,
              reason: null,
              status: 'active',
              redactedAt: expect.any(String),
            },
          ])
      }
      expect(
        await instance.storage.query(
          `select id from evidence_file where workspace_id = ${idLiteral(copyId)}`,
        ),
      ).toEqual([])
      expect(await fixture.isBanned(PLAYER)).toBe(mode === 'pseudonymise')
      expect(await compareWithLog()).toEqual([])
      await rollBackToLater()
      expect((await fixture.listActiveBans(PLAYER)).map(({ reason }: Fields) => reason)).toEqual([COMEBACK])
      expect(await fixture.faults()).toEqual([])
      expect(await compareWithLog()).toEqual([])
    })
})
