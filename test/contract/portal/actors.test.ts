import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** Actor names by id, requested as the portal does. */
async function readNames(
  workspace: Workspace,
  ids?: readonly string[],
  query: Record<string, string> = {},
): Promise<Record<string, string>> {
  const search = new URLSearchParams({
    workspaceId: workspace.id,
    ...(ids && { ids: ids.join(',') }),
    ...query,
  })
  const { status, body, text } = await instance.request('GET', `/portal/api/actors?${search}`, {
    session: workspace.ownerSession,
  })
  expect(status, text).toBe(200)
  return Object.fromEntries(body.actors.map(({ id, name }: { id: string; name: string }) => [id, name]))
}

/** Creates a note. @returns the id and name of its author in the record */
async function createNote(
  { id: workspaceId }: Workspace,
  credentials: { session: string } | { key: string },
) {
  const body = { workspaceId, action: 'note', userId: '1', reason: 'Seen' }
  const { record } = (await instance.request('POST', '/api/moderation', { ...credentials, body })).body
  return { id: String(record.actorUserId), name: String(record.actorUsername) }
}

test('lists the members and API keys that created records recently, most recent first', async () => {
  const workspace = await instance.workspace()
  const member = await instance.member(workspace.id, ['moderation.note'])
  const key = await createNote(workspace, { key: workspace.key })
  const owner = await createNote(workspace, { session: workspace.ownerSession })
  const other = await createNote(workspace, { session: member.session })
  await createNote(workspace, { key: workspace.key })
  expect(Object.entries(await readNames(workspace))).toEqual(
    [key, other, owner].map(({ id, name }) => [id, name]),
  )
})

test('lists the requested ids: members without records, and former members who created some', async () => {
  const workspace = await instance.workspace()
  const silent = await instance.member(workspace.id, ['moderation.view'])
  const removedMember = await instance.member(workspace.id, ['moderation.note'])
  const { name } = await createNote(workspace, { session: removedMember.session })
  await createWorkspaceRequests(instance, workspace).removeMember(removedMember.accountId)
  const names = await readNames(workspace, [removedMember.accountId, silent.accountId])
  expect(Object.keys(names)).toEqual([removedMember.accountId, silent.accountId])
  expect(names[removedMember.accountId]).toBe(name)
  expect(names[silent.accountId]).not.toBe('')
})

test('lists who changed records in any way, former members included: an undo is about them too', async () => {
  const workspace = await instance.workspace()
  const { moderate, removeMember } = createWorkspaceRequests(instance, workspace)
  const key = await createNote(workspace, { key: workspace.key })
  const lifter = await instance.member(workspace.id, ['moderation.unban'])
  const editor = await instance.member(workspace.id, ['moderation.edit', 'moderation.view'])
  await instance.member(workspace.id, ['moderation.view'])
  const { id } = await moderate({ action: 'ban', userId: '7', reason: 'Exploiting' })
  const act = (session: string, body: object) =>
    instance.request('POST', '/api/moderation', { session, body: { workspaceId: workspace.id, ...body } })
  expect((await act(editor.session, { action: 'edit', id, severity: 'low' })).status).toBe(200)
  expect((await act(lifter.session, { action: 'unban', userId: '7' })).status).toBe(200)
  await removeMember(lifter.accountId)
  const names = await readNames(workspace, undefined, { changed: 'true' })
  expect(Object.keys(names)).toEqual([lifter.accountId, editor.accountId, key.id])
  expect(names[lifter.accountId]).toStartWith('account ')
  expect(Object.keys(await readNames(workspace))).toEqual([key.id])
})

test('never lists actors of another workspace, even by id', async () => {
  const [workspace, other] = [await instance.workspace(), await instance.workspace()]
  const otherNote = await createNote(other, { key: other.key })
  await createNote(other, { session: other.ownerSession })
  expect(await readNames(workspace, [other.ownerId, otherNote.id, 'nobody'])).toEqual({})
  expect(await readNames(workspace, undefined, { changed: 'true' })).toEqual({})
})
