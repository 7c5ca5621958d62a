import { afterAll, beforeAll, expect, test } from 'bun:test'
import { IMPORTS_ACTOR, statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { archiveWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { openModerationFixture } from './fixture.ts'
import { createImportRequests } from './import-fixture.ts'
import { createInsightsReader, EMPTY } from './insights-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const readInsights = createInsightsReader(() => instance)
const { importText } = createImportRequests(() => instance)

const renameActor = statement<{ workspaceId: string; from: string; to: string }>()((sql, p) =>
  sql
    .updateTable('record_count')
    .set({ actor_id: p.to })
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.from),
)

const renameImports = (workspaceId: string, to: string) =>
  instance.db.write((tx) => tx.run(renameActor, { workspaceId, from: IMPORTS_ACTOR, to }))

test('imported records are counted by reason only, and the list without them has what the days count', async () => {
  const fixture = await openModerationFixture(instance)
  const csv = [
    ...['userId,action,occurredAt,reason,sourceId', '1,ban,2026-01-05,Spam,a', '2,warn,2026-01-05,Spam,b'],
    ...['3,ban,2026-01-05,Spam,c', '3,note,2026-01-05,Spam,d'],
  ]
  const { result } = await importText('csv', 'a.csv', csv.join('\n'), { workspace: fixture })
  await fixture.actOk({ action: 'unban', userId: '1', reason: 'Appeal' })
  await fixture.ban('4', { reason: 'Spam' })
  const list = async (imported: string) =>
    (await fixture.get({ imported })).body.records.map(({ userId }: { userId: string }) => userId)
  expect(await list('false')).toEqual(['4'])
  expect(await list('true')).toEqual(['3', '3', '2', '1'])
  const expectCounts = async () => {
    const { totals, days, moderators, reasons, imported } = await readInsights(fixture)
    expect(totals).toEqual({ ...EMPTY, bans: '1' })
    expect(days.at(-1)).toMatchObject({ ...EMPTY, bans: '1' })
    expect(moderators).toMatchObject([{ bans: '1' }])
    expect(reasons).toEqual([{ reason: 'Spam', ...EMPTY, bans: '3', warnings: '1', lifted: '1' }])
    expect(imported).toBe('3')
  }
  await expectCounts()
  // As version 1.0.0 counted them.
  await renameImports(fixture.id, result.id)
  await expectCounts()
})

test('imported records are never fewer than none, also once some are deleted that were counted elsewhere', async () => {
  const fixture = await openModerationFixture(instance)
  const { workspaces } = createWorkspaceRequests(instance, fixture)
  const change = async (fields: Record<string, string>) => {
    const { status, text } = await workspaces(
      { id: fixture.id, ...fields },
      { session: fixture.ownerSession },
    )
    expect(status, text).toBe(200)
  }
  const archive = await archiveWorkspace(instance, fixture)
  await change({ action: 'restore' })
  const csv = 'userId,action,occurredAt,reason,sourceId\n1,ban,2026-01-05,Spam,a'
  await importText('csv', 'a.csv', csv, { workspace: fixture })
  expect((await readInsights(fixture)).imported).toBe('1')
  // As version 1.0.0 counted them in a copy, whose audit log does not know the import.
  await renameImports(fixture.id, instance.ports.newId())
  await change({ action: 'archive' })
  await change({ fromArchive: archive.id })
  expect((await readInsights(fixture)).imported).toBe('0')
})
