import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readArchive, stopAfter } from '../../support/workspace-jobs.ts'
import { setArchived } from '../../support/workspace-states.ts'
import { createFilledWorkspace, createWorkspaceRequests, type Workspace } from './fixture.ts'
import { queueJob } from './job-fixture.ts'
import { readEverything } from './read-everything.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

test('a request that was accepted before the workspace was archived, and commits later, is in the archive', async () => {
  const { workspace, body } = await queueJob.archive(instance)
  await instance.runJobs(stopAfter(2))
  await setArchived(instance, workspace.id, false)
  await createWorkspaceRequests(instance, workspace).moderate({ action: 'note', userId: '1', reason: 'Late' })
  await setArchived(instance, workspace.id, true)
  await instance.runJobs()
  const archive = await readArchive(instance, { key: workspace.key }, body.archive as never)
  expect(archive.counts.records).toBe('11')
})

/** Objects whose later changes the audit log has under other kinds of targets than cases. */
async function prepareChanges(workspace: Workspace) {
  const { id, ownerSession: session } = workspace
  const requests = createWorkspaceRequests(instance, workspace)
  const post = async (path: string, body: object) => {
    const response = await instance.request('POST', path, { session, body: { workspaceId: id, ...body } })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  const createTemplate = async (name: string) =>
    (await post('/api/moderation/templates', { name, publicReason: 'Seen' })).template.id as string
  const templateIds = [await createTemplate('First'), await createTemplate('Second')]
  const { body } = await instance.request('GET', `/portal/api/departments?workspaceId=${id}`, { session })
  const departmentIds = body.departments.map((department: { id: string }) => department.id)
  const { accountId } = await instance.member(id, ['moderation.view'], 1)
  const { id: recordId } = await requests.moderate({ action: 'note', userId: '3', reason: 'Early' })
  const changes = {
    assignment: () => post('/portal/api/assignments', { recordId, accountId: workspace.ownerId }),
    'pinned note': () => post('/portal/api/pinned-notes', { userId: '3', text: 'Late' }),
    link: () =>
      post('/api/moderation/links', { userId: '3', linkedUserId: '4', confidence: 'low', reason: 'Late' }),
    'order of departments': () => requests.orderDepartments(departmentIds.reverse()),
    'order of templates': () =>
      post('/api/moderation/templates', { action: 'order', ids: templateIds.reverse().join() }),
    "a member's roles": () => requests.assignRoles(accountId, []),
    "a member's players": () => requests.linkPlayers(accountId, ['4']),
  }
  return { changes, requests }
}

test.each([
  'assignment',
  'pinned note',
  'link',
  'order of departments',
  'order of templates',
  "a member's roles",
  "a member's players",
] as const)('such a request that changes this is in the archive, too: %s', async (change) => {
  const workspace = await createFilledWorkspace(instance)
  const { id, ownerSession: session } = workspace
  const { changes, requests } = await prepareChanges(workspace)
  const { body } = await requests.workspaces({ id, archive: true })
  await instance.runJobs(stopAfter(2))
  await setArchived(instance, id, false)
  await changes[change]()
  await setArchived(instance, id, true)
  await instance.runJobs()
  const copy = await requests.workspaces({ fromArchive: body.archive.id }, { session })
  await instance.runJobs()
  const copied = await readEverything(instance, copy.body.workspace.id, workspace)
  expect(copied).toEqual(await readEverything(instance, id, workspace))
})
