import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

/** CSV files without a column of ids. */

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { sendText, importText, interruptImport, readImport, listRecords, isBanned } = createImportRequests(
  () => instance,
)

const HEADER = 'userId,action,occurredAt,reason,expiresAt,liftedAt'
const SPAM = '7,ban,2026-01-05,Spam,2026-01-06,'
const EXPLOITS = '7,ban,2026-01-05,Came back with exploits,never,'
const INSULT = '7,warn,2026-01-05,Insult,,'
const THREAT = '7,warn,2026-01-05,Threat,,'

const importRows = (rows: readonly string[], options?: Parameters<typeof importText>[3]) =>
  importText('csv', 'list.csv', [HEADER, ...rows].join('\n'), options)
const listReasons = async (workspace: Workspace) =>
  (await listRecords(workspace)).map(({ reason }: { reason: string }) => reason)

describe('rows of a file with the same player, action and time', () => {
  test('are entries of their own if their reason or end differs, and one entry if nothing does', async () => {
    const rows = [SPAM, EXPLOITS, INSULT, THREAT, INSULT]
    const dryRun = await importRows(rows, { dryRun: true })
    expect(dryRun.result).toMatchObject({ created: '4', known: '1' })
    const { workspace, result } = await importRows(rows)
    expect(result).toMatchObject({ created: '4', known: '1' })
    expect(await listReasons(workspace)).toEqual(['Spam', 'Came back with exploits', 'Insult', 'Threat'])
    expect(await isBanned(workspace, '7')).toBe(true)
  })

  test('are known in every order, and with further rows before and between them', async () => {
    const { workspace } = await importRows([SPAM, EXPLOITS, INSULT, THREAT])
    const again = await importRows([THREAT, INSULT, EXPLOITS, SPAM], { workspace })
    expect(again.result).toMatchObject({ created: '0', known: '4' })
    const longer = await importRows(
      ['7,warn,2026-01-05,Slur,,', THREAT, '7,warn,2026-01-05,Flood,,', INSULT, SPAM, EXPLOITS],
      { workspace },
    )
    expect(longer.result).toMatchObject({ created: '2', known: '4' })
  })

  test('of which an earlier file had only one are new but for that one, also if it was edited here', async () => {
    const { workspace } = await importRows([INSULT])
    const [{ id }] = await listRecords(workspace)
    const body = { workspaceId: workspace.id, action: 'edit', id, reason: 'Insulted a player' }
    await instance.request('POST', '/api/moderation', { key: workspace.key, body })
    const { result } = await importRows([THREAT, INSULT], { workspace })
    expect(result).toMatchObject({ created: '1', known: '1' })
    expect(await listReasons(workspace)).toEqual(['Insulted a player', 'Threat'])
    const shorter = await importRows([THREAT], { workspace })
    expect(shorter.result).toMatchObject({ created: '0', known: '1' })
  })

  test('of which the earlier one was redacted here do not bring it back', async () => {
    const { workspace } = await importRows([INSULT])
    const [{ id }] = await listRecords(workspace)
    const body = { workspaceId: workspace.id, action: 'redact', id, reason: 'Personal data' }
    await instance.request('POST', '/api/moderation', { key: workspace.key, body })
    await importRows([INSULT, '7,warn,2026-01-05,Threat,,'], { workspace })
    expect(await listReasons(workspace)).not.toContain('Insult')
  })

  test('lift each its own ban in a newer file', async () => {
    const other = '7,ban,2026-01-05,Alt account,2027-01-06,'
    const { workspace } = await importRows([SPAM, EXPLOITS])
    const { result } = await importRows([other, `${EXPLOITS}2026-01-20`, SPAM], { workspace })
    expect(result).toMatchObject({ lifted: '1', created: '1', known: '1' })
    expect(
      (await listRecords(workspace)).map(({ reason, status }: Record<string, string>) => [reason, status]),
    ).toEqual([
      ['Spam', 'expired'],
      ['Came back with exploits', 'revoked'],
      ['Alt account', 'active'],
    ])
  })
})

test('a row whose reason was changed there is still the same entry if it is the only one of its player, action and time', async () => {
  const { workspace } = await importRows([INSULT])
  const { result } = await importRows([INSULT.replace('Insult', 'Insults')], { workspace })
  expect(result).toMatchObject({ created: '0', known: '1' })
})

test('an import that is interrupted between rows of the same player, action and time stores each of them once', async () => {
  const others = Array.from({ length: 400 }, (_, index) => `${index + 100},warn,2026-01-05,Spam,,`)
  const rows = [INSULT, ...others, THREAT, INSULT]
  const process = new AbortController()
  const workspace = await instance.workspace()
  const id = await sendText(workspace, 'csv', 'list.csv', [HEADER, ...rows].join('\n'))
  await interruptImport(workspace, id, () => process.abort(), process.signal)
  const before = await readImport(workspace, id)
  expect(before.result.finishedAt).toBeNull()
  await instance.runImports()
  const { result } = await readImport(workspace, id)
  expect(result).toMatchObject({ state: 'succeeded', created: '402', known: '1' })
})
