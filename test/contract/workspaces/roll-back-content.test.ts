import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import { openAppeals } from '../appeals/fixture.ts'
import { createImportRequests } from '../moderation/import-fixture.ts'
import { archiveWorkspace, createWorkspaceRequests, type Workspace } from './fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** Archives a workspace, and makes it active again. @returns the ID of the archive */
async function archiveOnce(workspace: Workspace): Promise<string> {
  const { id } = await archiveWorkspace(instance, workspace)
  await createWorkspaceRequests(instance, workspace).workspaces({ id: workspace.id, archive: false })
  return id
}

/** @returns the ID of the archive with the content of before */
async function rollBack(workspace: Workspace, fromArchive: string): Promise<string> {
  await archiveWorkspace(instance, workspace)
  const { workspaces } = createWorkspaceRequests(instance, workspace)
  const { body } = await workspaces({ id: workspace.id, fromArchive })
  expect(await readLastJob(instance, workspace)).toMatchObject({ state: 'succeeded', error: null })
  return body.archive.id
}

describe('a roll-back to an archive with imported records', () => {
  const { importText, listRecords, isBanned } = createImportRequests(() => instance)
  const createdAt = '2026-01-05T00:00:00Z'
  /** More than change in one transaction. */
  const lines = Array.from({ length: 60 }, (_, index) => `${index},warn,${1000 + index},Spam,${createdAt}`)
  const file = ['id,action,userId,reason,createdAt', ...lines, `b1,ban,9999,Exploiting,${createdAt}`].join(
    '\n',
  )
  const importFile = async (workspace: Workspace) => {
    const { result } = await importText('csv', 'bans.csv', file, { workspace, source: 'old' })
    expect(result).toMatchObject({ state: 'succeeded', created: '61' })
  }

  test('replaces those of the same file that was imported again since, and a third import finds them', async () => {
    const workspace = await instance.workspace()
    const empty = await archiveOnce(workspace)
    await importFile(workspace)
    const imported = await listRecords(workspace)
    const full = await rollBack(workspace, empty)
    expect(await listRecords(workspace)).toEqual([])
    await importFile(workspace)
    await rollBack(workspace, full)
    expect(await listRecords(workspace)).toEqual(imported)
    expect(await isBanned(workspace, '9999')).toBe(true)
    const { result } = await importText('csv', 'bans.csv', file, { workspace, source: 'old' })
    expect(result).toMatchObject({ created: '0', known: '61' })
  })

  test('gives them back the source that a roll-back took from them before it failed', async () => {
    const workspace = await instance.workspace()
    await importFile(workspace)
    const imported = await listRecords(workspace)
    const archive = await archiveOnce(workspace)
    await instance.storage.query(
      `update record set source = null, source_id = null where workspace_id = ${idLiteral(workspace.id)}`,
    )
    await rollBack(workspace, archive)
    expect(await listRecords(workspace)).toEqual(imported)
  })
})

describe('the appeals of a ban', () => {
  /** A workspace with the requests of appeals, as its owner. */
  async function open() {
    const appeals = await openAppeals(instance)
    const { workspaceId: id, ownerSession, key } = appeals
    const workspace = { id, ownerSession, key } as Workspace
    const actAsOwner = (fields: Record<string, unknown>) => appeals.act(ownerSession, fields)
    const readInsights = async () => {
      const path = `/api/moderation/insights?workspaceId=${id}`
      const { totals, responses } = (await instance.request('GET', path, { key })).body
      const waiting = responses.find(({ kind }: { kind: string }) => kind === 'appeal')
      return { appealed: totals.appealed, appeals: waiting.count }
    }
    return { ...appeals, workspace, actAsOwner, readInsights }
  }

  test('are deleted and forgotten with it, and come back with it, also if they are still open', async () => {
    const { workspace, ban, submit, staff, judge, list, show, isBanned, readInsights } = await open()
    const empty = await archiveOnce(workspace)
    const denied = await ban()
    await submit(denied.appealCode)
    const [first] = await list('&state=all')
    await staff('message', judge.session, { id: first.id, text: 'We look into it.', internal: 'true' })
    await staff('decide', judge.session, { id: first.id, decision: 'denied' })
    await submit((await ban({ userId: '262' })).appealCode)
    const before = await list('&state=all')
    expect(before.map(({ state }: { state: string }) => state)).toEqual(['submitted', 'denied'])
    const shown = await show(first.id)
    const full = await rollBack(workspace, empty)
    expect(await list('&state=all')).toEqual([])
    expect(await readInsights()).toEqual({ appealed: '0', appeals: '0' })
    await rollBack(workspace, full)
    expect(await list('&state=all')).toEqual(before)
    expect((await show(first.id)).messages).toEqual(shown.messages)
    expect((await readInsights()).appealed).toBe('2')
    expect(await isBanned('262')).toBe(true)
  })

  test('that are open stay, and follow what a roll-back makes of the ban', async () => {
    const { workspace, ban, submit, read, list, actAsOwner } = await open()
    const shortened = await ban({ userId: '1', durationSeconds: String(7 * 86_400) })
    const permanent = await ban({ userId: '2' })
    const archive = await archiveOnce(workspace)
    await actAsOwner({ action: 'edit', id: shortened.id, durationSeconds: 'permanent' })
    await actAsOwner({ action: 'edit', id: permanent.id, durationSeconds: '86400' })
    for (const { appealCode } of [shortened, permanent]) await submit(appealCode)
    await rollBack(workspace, archive)
    const [first, second] = await list()
    expect(first).toMatchObject({ recordId: shortened.id, banExpiresAt: shortened.expiresAt })
    expect(second).toMatchObject({ recordId: permanent.id, banExpiresAt: null })
    instance.clock.advance(8 * 86_400_000)
    expect((await read(permanent.appealCode)).body.appeal.state).toBe('submitted')
    expect((await read(shortened.appealCode)).body.appeal.state).toBe('expired')
  })

  test('that are open end if a roll-back ends the ban', async () => {
    const { workspace, ban, submit, read, actAsOwner } = await open()
    const { appealCode } = await ban({ userId: '1' })
    const inForce = await archiveOnce(workspace)
    await actAsOwner({ action: 'unban', userId: '1' })
    const lifted = await rollBack(workspace, inForce)
    await submit(appealCode)
    await rollBack(workspace, lifted)
    const { appeal } = (await read(appealCode)).body
    expect(appeal).toMatchObject({ state: 'expired', canReply: 'false' })
  })
})

test('a comment that a roll-back removes is no longer in the inbox of those it mentions', async () => {
  const workspace = await instance.workspace()
  const { id: workspaceId, ownerSession: session, ownerId, key } = workspace
  const { moderate } = createWorkspaceRequests(instance, workspace)
  const ban = await moderate({ action: 'ban', userId: '1', reason: 'Exploiting' })
  const comment = (value: string) =>
    instance.request('POST', '/api/moderation', {
      key,
      body: { workspaceId, action: 'comment', id: ban.id, value: `${value} <@${ownerId}>` },
    })
  await comment('Kept')
  const archive = await archiveOnce(workspace)
  await comment('Removed')
  const listMentions = async () => {
    const path = `/portal/api/inbox?workspaceId=${workspaceId}&source=mentions`
    return (await instance.request('GET', path, { session })).body.items.map(
      ({ text }: { text: string }) => text?.split(' ')[0],
    )
  }
  expect(await listMentions()).toEqual(['Removed', 'Kept'])
  await rollBack(workspace, archive)
  expect(await listMentions()).toEqual(['Kept'])
})
