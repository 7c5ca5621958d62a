import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const { importText, listRecords, isBanned } = createImportRequests(() => instance)

const importRows = (source: string, rows: readonly string[], options = {}) =>
  importText('csv', 'bans.csv', ['userId,occurredAt,expiresAt,unbanned_at,sourceId', ...rows].join('\n'), {
    source,
    ...options,
  })
const readAll = async (workspace: Workspace): Promise<string[]> =>
  (await listRecords(workspace)).map(
    ({ source, sourceId, status }: Record<string, string>) => `${source} ${sourceId} ${status}`,
  )

const CREATIVE = '261,2026-01-05,never,,a'
const CREATIVE_LIFTED = '261,2026-01-05,never,2026-01-10,a'

describe('a ban that is lifted in one source', () => {
  for (const [title, expiresAt] of [
    ['is permanent, too', 'never'],
    ['ends earlier', '2026-06-01'],
  ] as const) {
    test(`stays in force if the ban of another source was merged with it that ${title}`, async () => {
      const { workspace } = await importRows('creative', [CREATIVE])
      const survival = [`261,2026-01-06,${expiresAt},,a`]
      const merge = await importRows('survival', survival, { workspace, conflicts: 'merge' })
      expect(merge.result).toMatchObject({ merged: '1' })
      for (const dryRun of [true, false]) {
        const { result, entries } = await importRows('creative', [CREATIVE_LIFTED], { workspace, dryRun })
        expect(result).toMatchObject({ skipped: '1', lifted: '0' })
        expect(entries[0]?.message).toContain('another was merged with it')
      }
      expect(await isBanned(workspace, '261')).toBe(true)
      expect(await readAll(workspace)).toEqual(['creative a active', 'survival a superseded'])
    })
  }

  test('stays in force for a new ban in the same file, too', async () => {
    const { workspace } = await importRows('creative', [CREATIVE])
    await importRows('survival', ['261,2026-01-06,never,,a'], { workspace, conflicts: 'merge' })
    const { result } = await importRows('creative', ['261,2026-01-20,never,,b', CREATIVE_LIFTED], {
      workspace,
    })
    expect(result).toMatchObject({ skipped: '2', created: '0', lifted: '0' })
    expect(await isBanned(workspace, '261')).toBe(true)
  })

  for (const [title, date] of [
    ['a later one', '2026-01-20'],
    ['an earlier one', '2026-01-02'],
  ] as const)
    test(`stays in force if it was merged with ${title} of the same source`, async () => {
      const other = `261,${date},never,,b`
      const { workspace } = await importRows('creative', [CREATIVE, other], { conflicts: 'merge' })
      const { result } = await importRows('creative', [CREATIVE_LIFTED, other], { workspace })
      expect(result).toMatchObject({ skipped: '1', known: '1' })
      expect(await isBanned(workspace, '261')).toBe(true)
    })

  test('is lifted if the ban that was merged with it has ended by its time since', async () => {
    const { workspace } = await importRows('creative', [CREATIVE])
    const end = new Date(instance.clock.now() + 3_600_000).toISOString()
    await importRows('survival', [`261,2026-01-06,${end},,a`], { workspace, conflicts: 'merge' })
    instance.clock.advance(3_600_000)
    const { result } = await importRows('creative', [CREATIVE_LIFTED], { workspace })
    expect(result).toMatchObject({ skipped: '0', lifted: '1' })
    expect(await isBanned(workspace, '261')).toBe(false)
  })
})

test('an unban whose ban is in an earlier file lifts no ban with which another was merged', async () => {
  const USER = '106391128718245888'
  const createCase = (number: number, type: number, day: string) => ({
    ...{ case_number: number, user_id: USER, mod_name: 'Mod', type, created_at: `${day} 10:00:00` },
    notes: [{ body: 'x' }],
  })
  const importCases = (cases: readonly object[], options = {}) =>
    importText('zeppelin', 'export.json', JSON.stringify({ cases }), options)
  const { workspace } = await importCases([createCase(1, 1, '2026-01-05')])
  await importRows('survival', [`discord:${USER},2026-01-06,never,,a`], { workspace, conflicts: 'merge' })
  const { result } = await importCases([createCase(2, 2, '2026-01-10')], { workspace })
  expect(result).toMatchObject({ created: '1', lifted: '0' })
  expect(await isBanned(workspace, `discord:${USER}`)).toBe(true)
})
