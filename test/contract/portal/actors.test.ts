import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** Names as the portal asks for them. */
async function namesFor(workspace: Workspace, ids?: readonly string[]): Promise<Record<string, string>> {
  const search = new URLSearchParams({ workspaceId: workspace.id, ...(ids && { ids: ids.join(',') }) })
  const { status, body, text } = await instance.request('GET', `/portal/api/actors?${search}`, {
    session: workspace.ownerSession,
  })
  expect(status, text).toBe(200)
  return Object.fromEntries(body.actors.map(({ id, name }: { id: string; name: string }) => [id, name]))
}

/** A note by somebody. @returns under which id and name it is kept */
async function note({ id: workspaceId }: Workspace, credentials: { session: string } | { key: string }) {
  const body = { workspaceId, action: 'note', userId: '1', reason: 'Seen' }
  const { record } = (await instance.request('POST', '/api/moderation', { ...credentials, body })).body
  return { id: String(record.actorUserId), name: String(record.actorUsername) }
}

test('members and keys that recorded something recently are listed, the latest first', async () => {
  const workspace = await instance.workspace()
  const member = await instance.member(workspace.id, ['moderation.note'])
  const key = await note(workspace, { key: workspace.key })
  const owner = await note(workspace, { session: workspace.ownerSession })
  const other = await note(workspace, { session: member.session })
  await note(workspace, { key: workspace.key })
  expect(Object.entries(await namesFor(workspace))).toEqual(
    [key, other, owner].map(({ id, name }) => [id, name]),
  )
})

test('those who are asked for are named, also where they recorded nothing, or are gone but recorded something', async () => {
  const workspace = await instance.workspace()
  const silent = await instance.member(workspace.id, ['moderation.view'])
  const removedMember = await instance.member(workspace.id, ['moderation.note'])
  const { name } = await note(workspace, { session: removedMember.session })
  await createWorkspaceRequests(instance, workspace).removeMember(removedMember.accountId)
  const names = await namesFor(workspace, [removedMember.accountId, silent.accountId])
  expect(Object.keys(names)).toEqual([removedMember.accountId, silent.accountId])
  expect(names[removedMember.accountId]).toBe(name)
  expect(names[silent.accountId]).not.toBe('')
})

test('accounts outside the workspace are never listed, whatever they are elsewhere', async () => {
  const [workspace, other] = [await instance.workspace(), await instance.workspace()]
  const otherNote = await note(other, { key: other.key })
  await note(other, { session: other.ownerSession })
  expect(await namesFor(workspace, [other.ownerId, otherNote.id, 'nobody'])).toEqual({})
})
