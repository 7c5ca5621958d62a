import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dataUrl, imageBytes } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readArchive } from '../../support/workspace-jobs.ts'
import { setArchived } from '../../support/workspace-states.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Workspace = Awaited<ReturnType<Instance['workspace']>>

const read = (workspaceId: string, session: string) =>
  instance.request('GET', `/portal/api/content?workspaceId=${workspaceId}`, { session })
const create = (workspace: Workspace, path: string, body: object) =>
  instance.request('POST', `/api/${path}`, {
    key: workspace.key,
    body: { workspaceId: workspace.id, ...body },
  })

/** Creates a workspace with some of everything: two events with the same image, and a record with an earlier version. */
async function createFilledWorkspace(): Promise<Workspace> {
  const workspace = await instance.workspace()
  await instance.member(workspace.id, ['events.view'])
  await create(workspace, 'departments', { name: 'Builders' })
  const { body } = await create(workspace, 'moderation', { action: 'note', userId: '1', reason: 'one' })
  await create(workspace, 'moderation', { action: 'edit', id: body.record.id, reason: 'two' })
  const event = {
    title: 'Opening',
    scheduledFor: '2026-03-01T18:00:00Z',
    imageDataUrl: dataUrl(imageBytes('png')),
  }
  for (let count = 0; count < 2; count++) await create(workspace, 'events', event)
  return workspace
}

describe('the contents of a workspace', () => {
  test('are counted by kind, with the same counts as in an archive of it', async () => {
    const workspace = await createFilledWorkspace()
    const { status, body } = await read(workspace.id, workspace.ownerSession)
    expect([status, body.counts]).toEqual([
      200,
      {
        members: '2',
        roles: expect.any(String),
        departments: '1',
        records: '1',
        recordVersions: '1',
        events: '2',
        media: '1',
        evidenceFiles: '0',
      },
    ])
    const { archive } = (
      await instance.request('POST', '/api/workspaces', {
        key: workspace.key,
        body: { id: workspace.id, action: 'archive' },
      })
    ).body
    const { counts } = await readArchive(instance, { key: workspace.key }, archive)
    expect(body.counts).toEqual(counts)
  })

  test('exclude other workspaces, and can be read while it is archived', async () => {
    await createFilledWorkspace()
    const empty = await instance.workspace()
    await setArchived(instance, empty.id, true)
    const { status, body } = await read(empty.id, empty.ownerSession)
    expect([status, body.counts]).toMatchObject([
      200,
      { members: '1', records: '0', events: '0', media: '0' },
    ])
  })

  test('require membership and workspace.view', async () => {
    const workspace = await instance.workspace()
    const without = await instance.member(workspace.id, ['members.view'])
    expect(await read(workspace.id, without.session)).toMatchObject({
      status: 403,
      body: { reason: 'missing_permission', permission: 'workspace.view' },
    })
    const stranger = await instance.session(await instance.account('Stranger'))
    expect(await read(workspace.id, stranger)).toMatchObject({
      status: 403,
      body: { reason: 'not_a_member' },
    })
  })
})
