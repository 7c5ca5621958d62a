import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importFile, importText, listRecords, findRecord, isBanned } = createImportRequests(() => instance)

const FILE = join(import.meta.dir, '../../import/roblox-logs.json')
const { logs } = JSON.parse(readFileSync(FILE, 'utf8')) as { logs: readonly object[] }
const importLogs = (list: readonly object[], options = {}) =>
  importText('roblox', 'logs.json', JSON.stringify({ logs: list }), options)

/** What a workspace knows, without what every import gives anew. */
async function summarize(workspace: Workspace) {
  const records = await listRecords(workspace)
  return records
    .map(({ sourceId, action, status, reason, expiresAt, ...record }: Record<string, string>) => {
      const { revokedAt, revokedByUsername, revokeReason } = record
      const revocation = [revokedAt, revokedByUsername, revokeReason]
      return [sourceId, action, status, reason, expiresAt, ...revocation].join(' | ')
    })
    .sort()
}

describe('a log of restrictions', () => {
  test('leaves banned exactly those whose last change is a ban, with the unban as the end of its ban', async () => {
    const { workspace, result, entries } = await importFile('roblox', 'roblox-logs.json')
    expect(result).toMatchObject({ state: 'succeeded', created: '6', unreadable: '1' })
    expect(entries).toEqual([
      { line: '76', outcome: 'unreadable', message: 'duration is not a duration: soon' },
    ])
    const banned = await Promise.all(
      ['156', '157', '158', '261'].map(async (id) => [id, await isBanned(workspace, id)]),
    )
    expect(banned).toEqual([
      ['156', false],
      ['157', true],
      ['158', false],
      // A place is not the universe.
      ['261', true],
    ])
    expect(await summarize(workspace)).toEqual([
      'places/9/users/261@1767952800000/unban | note | active | Unban |  |  |  | ',
      'universe/users/156@1767434400000 | ban | superseded | Warned twice | 2026-01-10T10:00:00.000Z |  |  | ',
      'universe/users/156@1767520800250 | ban | revoked | Exploiting |  | 2026-01-08T10:00:00.500Z | users/42 | Appeal accepted',
      'universe/users/157@1767607200000 | ban | revoked | Exploiting, see clip 12 | 2026-01-06T10:00:00.000Z | 2026-01-05T12:00:00.000Z | users/42 | ',
      'universe/users/157@1767783600000 | ban | active | Came back |  |  |  | ',
      'universe/users/261@1767693600000 | ban | active | Scamming |  |  |  | ',
    ])
    expect((await findRecord(workspace, 'universe/users/157@1767783600000')).originalModerator).toBe(
      'Game server',
    )
  })

  test('says the same in every order', async () => {
    const expected = await summarize((await importLogs(logs)).workspace)
    const rotate = (by: number) => [...logs.slice(by), ...logs.slice(0, by)]
    const orders = [logs.toReversed(), rotate(3), rotate(7), rotate(5).toReversed()]
    for (const order of orders) expect(await summarize((await importLogs(order)).workspace)).toEqual(expected)
  })

  test('imported again changes nothing, and one that goes on lifts the ban that an earlier file has brought', async () => {
    const newest = logs.slice(2)
    const { workspace } = await importLogs(newest)
    expect(await isBanned(workspace, '156')).toBe(true)
    const again = await importLogs(newest, { workspace })
    expect(again.result).toMatchObject({ created: '0', known: '5' })
    const before = await importLogs(logs.slice(0, 2), { workspace })
    expect(before.result).toMatchObject({ created: '2' })
    expect(await isBanned(workspace, '156')).toBe(false)
    expect(await findRecord(workspace, 'universe/users/156@1767520800250')).toMatchObject({
      status: 'revoked',
      revokedAt: '2026-01-08T10:00:00.500Z',
      revokeReason: 'Unban: Appeal accepted',
    })
    expect(await isBanned(workspace, '261')).toBe(true)
  })
})
