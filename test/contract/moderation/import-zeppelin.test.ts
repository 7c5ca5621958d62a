import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importText, listRecords, findRecord, isBanned } = createImportRequests(() => instance)

const USER = '106391128718245888'
const PLAYER = `discord:${USER}`
const BAN = 1
const UNBAN = 2

const createCase = (number: number, type: number, day: string, fields: object = {}) => ({
  case_number: number,
  user_id: USER,
  mod_name: 'Mod#0001',
  type,
  created_at: `${day} 10:00:00`,
  notes: [{ body: `Note of case ${number}` }],
  ...fields,
})

const importCases = (cases: readonly object[], options = {}) =>
  importText('zeppelin', 'export.json', JSON.stringify({ cases }), options)

const listStatuses = async (workspace: Workspace) =>
  Object.fromEntries(
    (await listRecords(workspace)).map(({ sourceId, action, status }: Record<string, string>) => [
      sourceId,
      `${action} ${status}`,
    ]),
  )

describe('a ban that a later case of the same file lifts', () => {
  for (const conflicts of ['skip', 'merge', 'supersede'])
    test(`leaves the current ban of the player as it is with ${conflicts}`, async () => {
      const workspace = await instance.workspace()
      const { id: workspaceId, key } = workspace
      const native = await instance.request('POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'ban', userId: PLAYER, reason: 'here', durationSeconds: '60' },
      })
      expect(native.status, native.text).toBe(200)
      const cases = [createCase(1, BAN, '2026-01-05'), createCase(2, UNBAN, '2026-01-06')]
      const { result } = await importCases(cases, { workspace, conflicts })
      expect(result).toMatchObject({ created: '2', skipped: '0', merged: '0', superseded: '0' })
      const { id } = native.body.record
      const { body } = await instance.request('GET', `/api/moderation?workspaceId=${workspaceId}&id=${id}`, {
        key,
      })
      expect(body.record).toEqual(native.body.record)
      expect(await findRecord(workspace, '1')).toMatchObject({
        action: 'ban',
        status: 'revoked',
        revokedAt: '2026-01-06T10:00:00.000Z',
        revokedByUsername: 'Mod#0001',
        revokeReason: 'Unban: Note of case 2',
      })
      expect(await isBanned(workspace, PLAYER)).toBe(true)
    })

  test('is lifted in every order of the cases, and only a ban after the last unban is in force', async () => {
    const cases = [
      createCase(1, BAN, '2026-01-05'),
      createCase(2, UNBAN, '2026-01-06'),
      createCase(3, BAN, '2026-01-07'),
      createCase(4, BAN, '2026-01-08', { user_id: '272800190639898628' }),
      createCase(5, UNBAN, '2026-01-09'),
      createCase(6, BAN, '2026-01-10'),
    ]
    for (const order of [cases, cases.toReversed()]) {
      const { workspace, result } = await importCases(order)
      expect(result).toMatchObject({ created: '6', skipped: '0' })
      expect(await listStatuses(workspace)).toEqual({
        1: 'ban revoked',
        2: 'note active',
        3: 'ban revoked',
        4: 'ban active',
        5: 'note active',
        6: 'ban active',
      })
      expect((await findRecord(workspace, '1')).revokedAt).toBe('2026-01-06T10:00:00.000Z')
    }
  })
})

test('a later export that contains the unban lifts the ban that an earlier one has brought', async () => {
  const cases = [createCase(1, BAN, '2026-01-05'), createCase(2, UNBAN, '2026-01-06')]
  for (const later of [cases, cases.slice(1)]) {
    const { workspace } = await importCases(cases.slice(0, 1))
    expect(await isBanned(workspace, PLAYER)).toBe(true)
    const { result } = await importCases(later, { workspace })
    expect(result).toMatchObject({ created: '1' })
    expect(await isBanned(workspace, PLAYER)).toBe(false)
    expect(await findRecord(workspace, '1')).toMatchObject({
      status: 'revoked',
      revokedByUsername: 'Mod#0001',
    })
  }
})
