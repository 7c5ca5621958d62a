import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openBatchFixture } from './batch-fixture.ts'
import { createImportRequests, NOTCH, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const { importText, findRecord, listRecords, isBanned } = createImportRequests(() => instance)

interface Export {
  readonly format: string
  readonly fileName: string
  /** Of the player who has a ban in the older file that is lifted in the newer one. */
  readonly userId: string
  readonly sourceId: string
  readonly older: string
  readonly newer: string
  /** Null for a tool that does not say when. */
  readonly revokedAt: string | null
}

/** 2026-01-05 and, of the lift, 2026-01-10, in seconds. */
const [BANNED, LIFTED] = [1767571200, 1768003200]
const UUID = NOTCH.replace('minecraft:', '')

const createRestriction = (changes: object) => ({
  ...{ user: 'users/156', startTime: '2026-01-05T00:00:00Z', createTime: '2026-01-05T00:00:00Z' },
  ...{ active: true, privateReason: 'Exploiting', ...changes },
})
const createState = (active: boolean) => ({
  user: 'users/156',
  gameJoinRestriction: { active, startTime: '2026-01-05T00:00:00Z', displayReason: 'Exploiting' },
})
const createAction = (revocation: object) => ({
  ...{ id: 'B1AB-CDEF', type: 'ban', ids: ['discord:272800190639898628'], reason: 'x', author: 'admin1' },
  ...{ timestamp: BANNED, expiration: false, revocation },
})
const createCase = (fields: object) => ({
  id: '01900000-0000-7000-8000-000000000001',
  ...{ action: 'ban', userId: '261', createdAt: '2026-01-05T00:00:00Z', revokedAt: null, ...fields },
})
const LITEBANS = 'id,uuid,reason,time,until,active,removed_by_name,removed_by_date'
const SOURCEBANS = 'INSERT INTO `sb_bans` (bid, authid, created, length, reason, RemoveType, RemovedOn)'

const exports: readonly Export[] = [
  {
    ...{ format: 'litebans', fileName: 'litebans_bans.csv', userId: NOTCH, sourceId: 'bans:1' },
    older: `${LITEBANS}\n1,${UUID},x,${BANNED}000,-1,1,NULL,NULL`,
    newer: `${LITEBANS}\n1,${UUID},x,${BANNED}000,-1,0,jeb_,2026-01-10`,
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'litebans', fileName: 'litebans_bans.csv', userId: NOTCH, sourceId: 'bans:1' },
    older: `${LITEBANS}\n1,${UUID},x,${BANNED}000,-1,1,NULL,NULL`,
    newer: `${LITEBANS}\n1,${UUID},x,${BANNED}000,-1,0,NULL,NULL`,
    revokedAt: null,
  },
  {
    ...{ format: 'sourcebans', fileName: 'sourcebans.sql', sourceId: 'bans:7' },
    userId: 'steam:76561197960287930',
    older: `${SOURCEBANS} VALUES (7, '76561197960287930', ${BANNED}, 0, 'x', NULL, NULL);`,
    newer: `${SOURCEBANS} VALUES (7, '76561197960287930', ${BANNED}, 0, 'x', 'U', ${LIFTED});`,
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'txadmin', fileName: 'playersDB.json', sourceId: 'B1AB-CDEF' },
    userId: 'discord:272800190639898628',
    older: JSON.stringify({ actions: [createAction({ timestamp: null })] }),
    newer: JSON.stringify({ actions: [createAction({ timestamp: LIFTED, author: 'admin2' })] }),
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'roblox', fileName: 'logs.json', userId: '156' },
    sourceId: `universe/users/156@${BANNED}000`,
    older: JSON.stringify({ logs: [createRestriction({})] }),
    newer: JSON.stringify({
      logs: [createRestriction({ active: false, createTime: '2026-01-10T00:00:00Z' }), createRestriction({})],
    }),
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'roblox', fileName: 'restrictions.json', userId: '156' },
    sourceId: `universe/users/156@${BANNED}000`,
    older: JSON.stringify({ userRestrictions: [createState(true)] }),
    newer: JSON.stringify({ userRestrictions: [createState(false)] }),
    revokedAt: null,
  },
  {
    ...{ format: 'reeve', fileName: 'records.jsonl', userId: '261' },
    sourceId: '01900000-0000-7000-8000-000000000001',
    older: JSON.stringify(createCase({})),
    newer: JSON.stringify(createCase({ revokedAt: '2026-01-10T00:00:00Z', revokedByUsername: 'kim' })),
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'csv', fileName: 'bans.csv', userId: '261', sourceId: 'a' },
    older: 'userId,occurredAt,unbanned_at,sourceId\n261,2026-01-05,,a',
    newer: 'userId,occurredAt,unbanned_at,sourceId\n261,2026-01-05,2026-01-10,a',
    revokedAt: '2026-01-10T00:00:00.000Z',
  },
  {
    ...{ format: 'csv', fileName: 'bans.csv', userId: '261', sourceId: 'a' },
    older: 'userId,occurredAt,active,sourceId\n261,2026-01-05,1,a',
    newer: 'userId,occurredAt,active,sourceId\n261,2026-01-05,0,a',
    revokedAt: null,
  },
]

const NOTHING = { created: '0', known: '0', skipped: '0', merged: '0', superseded: '0', unreadable: '0' }

async function openImported({ format, fileName, older, userId }: Export) {
  const { workspace, result } = await importText(format, fileName, older)
  expect(result).toMatchObject({ ...NOTHING, created: '1', lifted: '0' })
  expect(await isBanned(workspace, userId)).toBe(true)
  return workspace
}

describe('a newer file lifts the ban that an earlier one has brought', () => {
  for (const file of exports) {
    const { format, fileName, newer, userId, sourceId, revokedAt } = file
    const when = revokedAt === null ? 'without its time' : 'at its time'
    test(`of ${format}, ${fileName}, ${when}, once, and a dry run says so before`, async () => {
      const workspace = await openImported(file)
      const dryRun = await importText(format, fileName, newer, { workspace, dryRun: true })
      expect(dryRun.result).toMatchObject({ ...NOTHING, lifted: '1' })
      expect(dryRun.entries).toMatchObject([{ outcome: 'lifted', message: expect.stringContaining(userId) }])
      expect(await isBanned(workspace, userId)).toBe(true)

      const { result } = await importText(format, fileName, newer, { workspace })
      expect(result).toMatchObject({ ...NOTHING, lifted: '1' })
      expect(await isBanned(workspace, userId)).toBe(false)
      const lifted = await findRecord(workspace, sourceId)
      expect(lifted).toMatchObject({
        status: 'revoked',
        revokedAt: revokedAt ?? new Date(instance.clock.now()).toISOString(),
        occurredAt: '2026-01-05T00:00:00.000Z',
      })

      const again = await importText(format, fileName, newer, { workspace })
      expect(again.result).toMatchObject({ ...NOTHING, known: '1', lifted: '0' })
      expect(await findRecord(workspace, sourceId)).toEqual(lifted)
      expect(await listRecords(workspace)).toHaveLength(1)
    })
  }
})

const HEADER = 'userId,occurredAt,expiresAt,unbanned_at,sourceId'
const BAN = '261,2026-01-05,2026-12-01,,a'
const UNBANNED = '261,2026-01-05,2026-12-01,2026-01-10,a'
const importRows = (rows: readonly string[], options = {}) =>
  importText('csv', 'bans.csv', [HEADER, ...rows].join('\n'), options)

const act = async ({ id: workspaceId, key }: Workspace, body: object) => {
  const response = await instance.request('POST', '/api/moderation', { key, body: { workspaceId, ...body } })
  expect(response.status, response.text).toBe(200)
  return response.body.record
}
const readAll = async (workspace: Workspace): Promise<string[]> =>
  (await listRecords(workspace)).map(
    ({ sourceId, status }: Record<string, string>) => `${sourceId} ${status}`,
  )

describe('a lift in a newer file', () => {
  test('leaves a later ban of staff alone', async () => {
    const { workspace } = await importRows([BAN])
    await act(workspace, { action: 'ban', userId: '261', reason: 'Here' })
    const { result } = await importRows([UNBANNED], { workspace })
    expect(result).toMatchObject({ known: '1', lifted: '0' })
    expect(await readAll(workspace)).toEqual(['a superseded', 'null active'])
  })

  test('leaves a ban alone whose end was changed here since, and says so', async () => {
    const { workspace } = await importRows([BAN])
    const { id } = await findRecord(workspace, 'a')
    await act(workspace, { action: 'comment', id, value: 'Seen' })
    await act(workspace, { action: 'extend', id, value: '86400' })
    for (const dryRun of [true, false]) {
      const { result, entries } = await importRows([UNBANNED], { workspace, dryRun })
      expect(result).toMatchObject({ skipped: '1', lifted: '0' })
      expect(entries[0]?.message).toContain('its end was changed here')
    }
    expect(await isBanned(workspace, '261')).toBe(true)
  })

  test('reaches a ban with comments and edits', async () => {
    const { workspace } = await importRows([BAN])
    const { id } = await findRecord(workspace, 'a')
    await act(workspace, { action: 'comment', id, value: 'Seen' })
    await act(workspace, { action: 'edit', id, reason: 'Edited' })
    expect((await importRows([UNBANNED], { workspace })).result).toMatchObject({ lifted: '1' })
    expect(await findRecord(workspace, 'a')).toMatchObject({ status: 'revoked', reason: 'Edited' })
  })

  test('is not applied to another player, or another action, whose entry has the same id', async () => {
    const { workspace } = await importRows([BAN])
    const other = UNBANNED.replace('261', '262')
    expect((await importRows([other], { workspace })).result).toMatchObject({ known: '1', lifted: '0' })
    const mute = { workspace, defaultAction: 'mute' }
    expect((await importRows([UNBANNED], mute)).result).toMatchObject({ known: '1', lifted: '0' })
    expect(await readAll(workspace)).toEqual(['a active'])
  })

  for (const conflicts of ['skip', 'merge', 'supersede'])
    for (const order of ['before', 'after'])
      test(`does not hide a new ban of the player ${order} it in the file, with ${conflicts}`, async () => {
        const { workspace } = await importRows([BAN])
        const rows = [UNBANNED, '261,2026-01-20,never,,b']
        const file = order === 'before' ? rows.toReversed() : rows
        const options = { workspace, conflicts }
        const dryRun = await importRows(file, { ...options, dryRun: true })
        expect(dryRun.result).toMatchObject({ ...NOTHING, created: '1', lifted: '1' })
        const { result } = await importRows(file, options)
        expect(result).toMatchObject({ ...NOTHING, created: '1', lifted: '1' })
        expect(await readAll(workspace)).toEqual(['a revoked', 'b active'])
        expect(await findRecord(workspace, 'a')).toMatchObject({ revokedAt: '2026-01-10T00:00:00.000Z' })
      })

  test('of a warning revokes it', async () => {
    const header = 'userId,occurredAt,action,unbanned_at,sourceId'
    const importWarning = (revokedAt: string, options = {}) =>
      importText('csv', 'a.csv', `${header}\n261,2026-01-05,warn,${revokedAt},a`, options)
    const { workspace } = await importWarning('')
    expect((await importWarning('2026-01-10', { workspace })).result).toMatchObject({ lifted: '1' })
    expect(await findRecord(workspace, 'a')).toMatchObject({
      status: 'revoked',
      revokedAt: '2026-01-10T00:00:00.000Z',
    })
  })

  test('is known to followers of the feed, who read a new snapshot', async () => {
    const { workspace } = await importRows([BAN])
    const read = async (path: string) =>
      (
        await instance.request('GET', `/api/changes${path}workspaceId=${workspace.id}`, {
          key: workspace.key,
        })
      ).body
    const { sequence, epoch } = await read('/snapshot?')
    await importRows([UNBANNED], { workspace })
    expect(await read(`?since=${sequence}&epoch=${epoch}&`)).toMatchObject({ code: 'cursor_gone' })
    expect(await read('/snapshot?')).toMatchObject({ sanctions: [] })
  })

  test('leaves a ban that has expired as it is, and changes neither its end nor its texts', async () => {
    const { workspace } = await importRows(['261,2026-01-05,2026-01-20,,a', '262,2026-01-05,never,,b'])
    const before = await listRecords(workspace)
    const { result } = await importRows(
      ['261,2026-01-05,2026-01-20,2026-01-19,a', '262,2026-01-05,2026-01-20,,b'],
      { workspace },
    )
    expect(result).toMatchObject({ known: '2', lifted: '0' })
    expect(await listRecords(workspace)).toEqual(before)
  })
})

test('a ban that somebody brings back after a newer file has lifted it stays in force', async () => {
  const workspace = await openBatchFixture(instance)
  await importRows([BAN], { workspace })
  instance.clock.advance(3_600_000)
  const since = new Date(instance.clock.now()).toISOString()
  await importRows([UNBANNED], { workspace })
  expect(await isBanned(workspace, '261')).toBe(false)
  const undo = { action: 'undo', actorUserId: workspace.ownerId, since, reason: 'Wrong file' }
  expect(await workspace.runBatch(undo)).toMatchObject({ batch: { state: 'succeeded', succeeded: '1' } })
  expect(await isBanned(workspace, '261')).toBe(true)
  expect((await importRows([UNBANNED], { workspace })).result).toMatchObject({ skipped: '1', lifted: '0' })
  expect(await isBanned(workspace, '261')).toBe(true)
})
