import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOTCH, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importText, readImport, importFile, listRecords, findRecord } = createImportRequests(() => instance)

describe('importing again', () => {
  test('changes nothing, whatever the conflict mode', async () => {
    const { workspace } = await importFile('litebans', 'litebans.sql')
    const before = await listRecords(workspace)
    for (const conflicts of ['skip', 'merge', 'supersede']) {
      const { result } = await importFile('litebans', 'litebans.sql', { workspace, conflicts })
      expect(result).toMatchObject({ created: '0', known: '6' })
    }
    expect(await listRecords(workspace)).toEqual(before)
  })

  test('with another source is another file', async () => {
    const { workspace } = await importFile('litebans', 'litebans.sql')
    const { result } = await importFile('litebans', 'litebans.sql', {
      workspace,
      source: 'creative',
      conflicts: 'merge',
    })
    expect(result).toMatchObject({ known: '0', merged: '2', created: '4' })
  })
})

describe('an active ban of the same player', () => {
  const ROW = 'userId,occurredAt,until,reason,sourceId\n261,2026-01-05,2027-01-01,imported,a\n'
  const banned = async () => {
    const workspace = await instance.workspace()
    await instance.request('POST', '/api/moderation', {
      key: workspace.key,
      body: {
        workspaceId: workspace.id,
        action: 'ban',
        userId: '261',
        reason: 'here',
        durationSeconds: '60',
      },
    })
    return workspace
  }

  test('is kept with skip, and the row is left out', async () => {
    const workspace = await banned()
    const { result, entries } = await importText('csv', 'a.csv', ROW, { workspace })
    expect(result).toMatchObject({ created: '0', skipped: '1' })
    expect(entries).toMatchObject([{ line: '2', outcome: 'skipped', message: 'ban 261, a' }])
    expect(await listRecords(workspace)).toMatchObject([{ reason: 'here', status: 'active' }])
  })

  test('is prolonged with merge, and the row is history', async () => {
    const workspace = await banned()
    await importText('csv', 'a.csv', ROW, { workspace, conflicts: 'merge' })
    expect(await listRecords(workspace)).toMatchObject([
      { reason: 'here', status: 'active', expiresAt: '2027-01-01T00:00:00.000Z' },
      { reason: 'imported', status: 'superseded' },
    ])
  })

  test('is replaced with supersede', async () => {
    const workspace = await banned()
    await importText('csv', 'a.csv', ROW, { workspace, conflicts: 'supersede' })
    expect(await listRecords(workspace)).toMatchObject([
      { reason: 'here', status: 'superseded' },
      { reason: 'imported', status: 'active' },
    ])
  })
})

describe('a dry run', () => {
  test('lists what would happen, changes nothing, and can be applied without sending the file again', async () => {
    const file =
      'userId,occurredAt,sourceId\n1,2026-01-05,a\n2,2026-01-05,b\n2,2026-01-06,c\n1,2026-01-05,a\n3,never,d\n'
    const { workspace, result, entries } = await importText('csv', 'a.csv', file, {
      dryRun: true,
      conflicts: 'supersede',
    })
    expect(result).toMatchObject({
      ...{ created: '2', superseded: '1', known: '1', unreadable: '1' },
      canBeApplied: 'true',
    })
    expect(entries.map(({ line, outcome }) => `${line} ${outcome}`)).toEqual([
      ...['2 created', '3 created', '4 superseded', '6 unreadable'],
    ])
    expect(await listRecords(workspace)).toEqual([])
    const { id: workspaceId, ownerSession: session } = workspace
    const body = { workspaceId, id: result.id }
    await instance.request('POST', '/portal/api/imports/apply', { session, body })
    await instance.runImports()
    const applied = await readImport(workspace, result.id)
    expect(applied.result).toMatchObject({
      ...{ created: '2', superseded: '1', known: '1', unreadable: '1' },
      dryRun: 'false',
    })
    expect(await listRecords(workspace)).toHaveLength(3)
  })
})

test('a file without entries of its format fails and says so', async () => {
  const { result } = await importText(
    'litebans',
    'a.sql',
    'create table x (y int);\ninsert into x values (1);',
  )
  expect(result).toMatchObject({ state: 'failed', error: expect.stringContaining('no entry of this format') })
})

async function findDifferences() {
  const differences: RecordDifference[] = []
  await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
  return differences
}

test('records of an import that ended before it agree with the audit log after a redaction', async () => {
  const { workspace } = await importFile('litebans', 'litebans.sql')
  const records = await listRecords(workspace)
  expect(new Set(records.map(({ status }: { status: string }) => status))).toContain('revoked')
  for (const { id } of records) {
    const body = { workspaceId: workspace.id, action: 'redact', id, reason: 'Personal data' }
    const { status, text } = await instance.request('POST', '/api/moderation', { key: workspace.key, body })
    expect(status, text).toBe(200)
  }
  expect(await findDifferences()).toEqual([])
})

test('records of an import agree with the audit log, and every one has an entry by the person who imported', async () => {
  const { workspace } = await importFile('litebans', 'litebans.sql', { conflicts: 'supersede' })
  await importFile('litebans', 'litebans.sql', { workspace, source: 'other', conflicts: 'supersede' })
  expect(await findDifferences()).toEqual([])
  const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=100`, {
    session: workspace.ownerSession,
  })
  const imported = body.entries.filter((entry: { action: string }) => entry.action === 'moderation.import')
  // Six records, then six more that replace two.
  expect(imported).toHaveLength(14)
  expect(new Set(imported.map((entry: { actorId: string }) => entry.actorId))).toEqual(
    new Set([workspace.ownerId]),
  )
})

const replaceAction = statement<{ workspaceId: string; from: string; to: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ action: p.to })
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.from),
)

describe('an import for a player whose ban here has expired', () => {
  const importAfterExpiry = async () => {
    const workspace = await instance.workspace()
    const { id: workspaceId, key } = workspace
    const body = { workspaceId, action: 'ban', userId: '262', reason: 'here', durationSeconds: '1' }
    await instance.request('POST', '/api/moderation', { key, body })
    instance.clock.advance(2000)
    await importText('csv', 'a.csv', 'userId,occurredAt,sourceId\n262,2025-12-01,a\n', { workspace })
    expect(await listRecords(workspace)).toMatchObject([{ status: 'expired' }, { status: 'active' }])
    return workspace
  }
  const listActions = async ({ id, ownerSession: session }: Workspace) => {
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${id}`, { session })
    return body.entries.map(({ action }: { action: string }) => action)
  }

  test('agrees with the audit log, which says that the ban expired', async () => {
    const workspace = await importAfterExpiry()
    expect(await listActions(workspace)).toContain('moderation.expire')
    expect(await findDifferences()).toEqual([])
  })

  test('agrees with the audit log also if that does not say so, as version 1.0.0 wrote it', async () => {
    const workspace = await importAfterExpiry()
    await instance.db.write((tx) =>
      tx.run(replaceAction, {
        workspaceId: workspace.id,
        from: 'moderation.expire',
        to: 'moderation.import',
      }),
    )
    expect(await listActions(workspace)).not.toContain('moderation.expire')
    expect(await findDifferences()).toEqual([])
  })
})

test('followers of the feed read one snapshot after an import, and no change of it', async () => {
  const workspace = await instance.workspace()
  const { id, key } = workspace
  const read = async (path: string) =>
    (await instance.request('GET', `/api/changes${path}workspaceId=${id}`, { key })).body
  const start = await read('/snapshot?')
  await importFile('litebans', 'litebans.sql', { workspace })
  expect(await read(`?since=${start.sequence}&epoch=${start.epoch}&`)).toMatchObject({ code: 'cursor_gone' })
  const snapshot = await read('/snapshot?')
  expect(snapshot.epoch).toBe(start.epoch)
  expect(await read(`?since=${snapshot.sequence}&epoch=${snapshot.epoch}&`)).toMatchObject({
    changes: [],
    more: 'false',
  })
})

describe('the export as JSON Lines', () => {
  const download = (workspace: Workspace, query: string, session = workspace.ownerSession) =>
    instance.request('GET', `/portal/api/records.jsonl?workspaceId=${workspace.id}${query}`, { session })

  test('has every record with its earlier versions, or those of one player', async () => {
    const { workspace } = await importFile('litebans', 'litebans.sql')
    const { id } = await findRecord(workspace, 'bans:1')
    const body = { workspaceId: workspace.id, action: 'edit', id, reason: 'Edited' }
    await instance.request('POST', '/api/moderation', { key: workspace.key, body })
    const records = (await download(workspace, '')).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map(({ sourceId }) => sourceId)).toEqual([
      ...['bans:1', 'bans:2', 'bans:3', 'mutes:7', 'warnings:9', 'kicks:11'],
    ])
    expect(records[0]).toMatchObject({
      reason: 'Edited',
      versions: [{ reason: expect.stringContaining('X-ray') }],
    })
    const player = (await download(workspace, `&userId=${NOTCH}`)).text.trimEnd().split('\n')
    expect(player.map((line) => JSON.parse(line).sourceId)).toEqual(['bans:1', 'mutes:7'])
  })

  test('has what the filters of a list select, newest first, and the audit log says so', async () => {
    const { workspace } = await importFile('litebans', 'litebans.sql')
    const sourceIds = async (query: string) =>
      (await download(workspace, query)).text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).sourceId)
    expect(await sourceIds('&action=ban,kick')).toEqual(['kicks:11', 'bans:3', 'bans:2', 'bans:1'])
    expect(await sourceIds('&banList=true')).toEqual(['bans:1'])
    expect(await sourceIds(`&userId=${NOTCH}&status=active`)).toEqual(['mutes:7', 'bans:1'])
    expect(await sourceIds('&severity=critical')).toEqual([])
    const audit = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&action=exports.download`,
      { session: workspace.ownerSession },
    )
    expect(audit.body.entries[0]).toMatchObject({ changes: { after: { records: 'of a list' } } })
  })

  test('needs its own permission', async () => {
    const workspace = await instance.workspace()
    const { session } = await instance.member(workspace.id, ['moderation.view'])
    expect((await download(workspace, '', session)).body).toMatchObject({ permission: 'moderation.export' })
  })
})
