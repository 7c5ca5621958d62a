import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { yieldToEventLoop } from '@reeve/db'
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

const { sendText, readImport, importText, findRecord, listRecords, isBanned } = createImportRequests(
  () => instance,
)

/** What the other tool says of a ban of the player, the first of which an earlier file has brought. */
type Ban = 'active' | 'replaced' | 'lifted'

interface Tool {
  readonly format: string
  /** @param bans the player's, each of which takes the place of the one before */
  readonly write: (bans: readonly Ban[]) => string
}

const DAYS = ['2026-01-05', '2026-01-08', '2026-01-11']

const writeLogs = (bans: readonly Ban[]): string => {
  const logs = bans.flatMap((ban, index) => {
    const startTime = `${DAYS[index]}T00:00:00Z`
    const change = { user: 'users/156', startTime, createTime: startTime, active: true, privateReason: 'x' }
    const lift = { ...change, createTime: '2026-01-20T00:00:00Z', active: false }
    return ban === 'lifted' ? [change, lift] : [change]
  })
  return JSON.stringify({ logs: logs.reverse() })
}

const toCase = (ban: Ban, index: number): object => ({
  id: `01900000-0000-7000-8000-00000000000${index}`,
  ...{ action: 'ban', userId: '156', createdAt: `${DAYS[index]}T00:00:00Z` },
  status: { active: 'active', replaced: 'superseded', lifted: 'revoked' }[ban],
  revokedAt: ban === 'lifted' ? '2026-01-20T00:00:00Z' : null,
})
const writeCases = (cases: readonly object[]): string =>
  cases.map((entry) => JSON.stringify(entry)).join('\n')

const tools: Readonly<Record<string, Tool>> = {
  'the logs of Roblox': { format: 'roblox', write: writeLogs },
  'an export of Reeve, oldest first': {
    format: 'reeve',
    write: (bans) => writeCases(bans.map(toCase)),
  },
  'an export of Reeve, newest first': {
    format: 'reeve',
    write: (bans) => writeCases(bans.map(toCase).reverse()),
  },
}

const importBans = ({ format, write }: Tool, bans: readonly Ban[], options = {}) =>
  importText(format, 'file.json', write(bans), options)

const listStatuses = async (workspace: Workspace): Promise<string[]> =>
  (await listRecords(workspace))
    .sort((one: Record<string, string>, other: Record<string, string>) =>
      String(one.occurredAt).localeCompare(String(other.occurredAt)),
    )
    .map(({ status }: Record<string, string>) => status)

for (const [name, tool] of Object.entries(tools))
  describe(`a ban that an earlier file has brought, and that was replaced since, in ${name}`, () => {
    test('ends if the one that replaced it was lifted, once, and a dry run says so before', async () => {
      const { workspace } = await importBans(tool, ['active'])
      const newer: Ban[] = ['replaced', 'lifted']
      const dryRun = await importBans(tool, newer, { workspace, dryRun: true })
      expect(dryRun.result).toMatchObject({ lifted: '1', created: '1' })
      expect(await isBanned(workspace, '156')).toBe(true)
      const { result } = await importBans(tool, newer, { workspace })
      expect(result).toMatchObject({ lifted: '1', created: '1' })
      expect(await isBanned(workspace, '156')).toBe(false)
      expect(await listStatuses(workspace)).toEqual(['superseded', 'revoked'])
      const again = await importBans(tool, newer, { workspace })
      expect(again.result).toMatchObject({ known: '2', lifted: '0' })
    })

    test('ends if the one that replaced it was replaced, too, by one that was lifted', async () => {
      const { workspace } = await importBans(tool, ['active'])
      const { result } = await importBans(tool, ['replaced', 'replaced', 'lifted'], { workspace })
      expect(result).toMatchObject({ lifted: '1', created: '2' })
      expect(await isBanned(workspace, '156')).toBe(false)
    })

    test('does not keep the one that replaced it in the same file from being lifted', async () => {
      const { workspace } = await importBans(tool, ['replaced', 'active'])
      const { result } = await importBans(tool, ['replaced', 'lifted'], { workspace })
      expect(result).toMatchObject({ known: '1', lifted: '1', skipped: '0' })
      expect(await isBanned(workspace, '156')).toBe(false)
    })

    for (const conflicts of ['skip', 'merge', 'supersede'])
      test(`gives way to the one that replaced it with ${conflicts}`, async () => {
        const { workspace } = await importBans(tool, ['active'])
        const options = { workspace, conflicts }
        const dryRun = await importBans(tool, ['replaced', 'active'], { ...options, dryRun: true })
        expect(dryRun.result).toMatchObject({ lifted: '1', created: '1' })
        const { result } = await importBans(tool, ['replaced', 'active'], options)
        expect(result).toMatchObject({ lifted: '1', created: '1' })
        expect(await listStatuses(workspace)).toEqual(['superseded', 'active'])
        expect(await isBanned(workspace, '156')).toBe(true)
      })

    test('stays in force if its end was changed here', async () => {
      const { workspace } = await importBans(tool, ['active'])
      const [{ sourceId }] = await listRecords(workspace)
      const { id } = await findRecord(workspace, sourceId)
      const { id: workspaceId, key } = workspace
      const shorten = await instance.request('POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'edit', id, durationSeconds: '8640000' },
      })
      expect(shorten.status, shorten.text).toBe(200)
      const { result } = await importBans(tool, ['replaced', 'lifted'], { workspace })
      expect(result).toMatchObject({ skipped: '1', created: '1', lifted: '0' })
      expect(await isBanned(workspace, '156')).toBe(true)
    })
  })

/** More than one transaction stores. */
const OTHERS = Array.from({ length: 100 }, (_, index) => ({
  id: `01900000-0000-7000-8000-000000001${index + 100}`,
  ...{ action: 'ban', userId: `${1000 + index}`, createdAt: `${DAYS[0]}T00:00:00Z`, status: 'active' },
}))

for (const ban of ['replaced', 'lifted'] as const)
  test(`a ban that was ${ban} is in force until the next one of the player is imported, which follows far below`, async () => {
    const { workspace } = await importText('reeve', 'file.json', writeCases([toCase('active', 0)]))
    const newer = writeCases([toCase(ban, 0), ...OTHERS, toCase('active', 1)])
    const id = await sendText(workspace, 'reeve', 'file.json', newer)
    const run = instance.runImports()
    const read = async () => (await readImport(workspace, id)).result
    const counts = new Set<string>()
    for (let result = await read(); ; result = await read()) {
      counts.add(result.created)
      expect(await isBanned(workspace, '156')).toBe(true)
      if (result.finishedAt !== null) break
      await yieldToEventLoop()
    }
    await run
    expect(counts.size).toBeGreaterThan(2)
    expect(await read()).toMatchObject({ created: '101', lifted: '1' })
    expect(await isBanned(workspace, '156')).toBe(true)
  })
