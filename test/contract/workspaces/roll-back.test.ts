import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OWNER_RANK, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import {
  archiveWorkspace,
  createFilledWorkspace,
  createWorkspaceRequests,
  expectIntactAuditChain,
  listKeyIds,
  type Workspace,
} from './fixture.ts'
import { readEverything } from './read-everything.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const setOwner = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql.updateTable('workspace').set({ owner_id: p.accountId }).where('id', '=', p.workspaceId),
)
const setMemberRole = statement<{ workspaceId: string; accountId: string; roleId: string }>()((sql, p) =>
  sql
    .updateTable('member_role')
    .set({ account_id: p.accountId })
    .where('workspace_id', '=', p.workspaceId)
    .where('role_id', '=', p.roleId),
)

const readWorkspace = async ({ id, ownerSession: session }: Workspace) =>
  (await instance.request('GET', `/api/workspaces?id=${id}`, { session })).body.workspace

describe('rolling a workspace back', () => {
  /** Changes objects of every kind. */
  async function change(workspace: Workspace) {
    const requests = createWorkspaceRequests(instance, workspace)
    const credentials = { key: workspace.key }
    const query = `workspaceId=${workspace.id}&limit=200`
    const { events } = (await instance.request('GET', `/api/events?${query}`, credentials)).body
    const { departments } = (await instance.request('GET', `/api/departments?${query}`, credentials)).body
    const { records } = (await instance.request('GET', `/api/moderation?${query}`, credentials)).body
    await requests.setEndpointControl('events', 'on')
    await requests.setEndpointControl('departments', 'on')
    await requests.setEndpointControl('workspaces', 'on')
    await requests.deleteEvent(events[0].id)
    await requests.writeEvent({ id: events[1].id, title: 'Other' }, 'PATCH')
    await requests.writeDepartment({ id: departments[0].id, action: 'delete' })
    await requests.writeDepartment({ name: departments[0].name })
    await requests.setDepartmentMembers(departments[1].id, [workspace.ownerId], workspace.ownerId)
    await requests.moderate({ action: 'unban', userId: '6' })
    await requests.moderate({ action: 'ban', userId: '6', reason: 'Again' })
    await requests.moderate({ action: 'ban', userId: '4', reason: 'Again' })
    await requests.moderate({ action: 'comment', id: records[0].id, value: 'Later' })
    await requests.shareCase(records[0].id, '1', workspace.ownerId)
    const { links } = (await instance.request('GET', `/api/moderation/links?${query}`, credentials)).body
    await instance.request('POST', '/api/moderation/links', {
      ...credentials,
      body: { workspaceId: workspace.id, action: 'delete', id: links.at(-1).id },
    })
    const { roleId } = await instance.member(workspace.id, ['departments.manage'], 3)
    await requests.setRolePermissions(roleId, [])
    const { members } = (
      await instance.request('GET', `/portal/api/members?${query}`, { session: workspace.ownerSession })
    ).body
    const otherMember = members.find((one: { accountId: string }) => one.accountId !== workspace.ownerId)
    await requests.removeMember(otherMember.accountId)
    await requests.workspaces({ id: workspace.id, groupName: 'Renamed since' })
  }

  test('restores the response to every read, and archives the content since', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const before = await readEverything(instance, workspace.id, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    await change(workspace)
    const responsesBefore = await readEverything(instance, workspace.id, workspace)
    expect(responsesBefore).not.toEqual(before)
    await archiveWorkspace(instance, workspace)

    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(body.workspace, text).toMatchObject({ id: workspace.id, status: 'archived' })
    expect(await readWorkspace(workspace)).toMatchObject({
      id: workspace.id,
      groupName: 'Harbour staff',
      status: 'active',
      ownerId: workspace.ownerId,
    })
    expect(await readEverything(instance, workspace.id, workspace)).toEqual(before)
    await expectIntactAuditChain(instance)

    // Rolls forward again with the archive that the roll-back created.
    await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, fromArchive: body.archive.id, groupName: 'Forward' })
    expect(await readWorkspace(workspace)).toMatchObject({ groupName: 'Forward', status: 'active' })
    expect(await readEverything(instance, workspace.id, workspace)).toEqual(responsesBefore)
    await expectIntactAuditChain(instance)
  })

  test('keeps the API keys and continues the case numbers and the change counter', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { workspaces, moderate } = createWorkspaceRequests(instance, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const last = (await moderate({ action: 'note', userId: '9', reason: 'Last' })) as unknown as Record<
      string,
      string
    >
    const keys = await instance.db.read.all(listKeyIds, { workspaceId: workspace.id })
    await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(await instance.db.read.all(listKeyIds, { workspaceId: workspace.id })).toEqual(keys)
    const next = (await moderate({ action: 'note', userId: '9', reason: 'Next' })) as unknown as Record<
      string,
      string
    >
    expect(Number(next.caseNumber)).toBe(Number(last.caseNumber) + 1)
    expect(Number(next.sequence)).toBeGreaterThan(Number(last.sequence))
  })

  test('keeps the current owner', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    const heir = await instance.member(workspace.id, [], 1)
    await instance.db.write(async (tx) => {
      await tx.run(setOwner, { workspaceId: workspace.id, accountId: heir.accountId })
      await tx.run(setMemberRole, {
        workspaceId: workspace.id,
        accountId: heir.accountId,
        roleId: workspace.ownerRoleId,
      })
    })
    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id }, heir)
    expect(body.workspace?.ownerId, text).toBe(heir.accountId)
    const readWorkspace = (session: string) =>
      instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session })
    expect((await readWorkspace(heir.session)).status).toBe(200)
    expect((await readWorkspace(workspace.ownerSession)).body.reason).toBe('missing_permission')
  })

  test('is for the owner alone: nobody else takes away a member who was appointed since, whatever their permissions', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const appointed = await instance.member(workspace.id, permissions, 500)
    const clerk = await instance.member(workspace.id, ['workspace.archive', 'workspace.restore'], 10)
    await archiveWorkspace(instance, workspace)
    const request = { id: workspace.id, fromArchive: archive.id }
    const ownPermissions = permissions.filter((one) => one !== 'moderation.unban')
    for (const [credentials, rejection] of [
      [clerk, { reason: 'insufficient_rank' }],
      [appointed, { reason: 'insufficient_rank' }],
      [
        { key: await instance.key(workspace.id, permissions, { rank: 999_999 }) },
        { reason: 'insufficient_rank' },
      ],
      [
        { key: await instance.key(workspace.id, ownPermissions, { rank: OWNER_RANK }) },
        { reason: 'missing_permission', permission: 'moderation.unban' },
      ],
    ] as const) {
      const rejected = () => workspaces(request, credentials)
      expect(await expectRejectedUnchanged(instance, rejected)).toMatchObject({ status: 403, ...rejection })
    }
    const url = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.request('GET', url, { session: appointed.session })).status).toBe(200)
    await workspaces(request, { session: workspace.ownerSession })
    expect(await readLastJob(instance, workspace)).toMatchObject({ state: 'succeeded' })
    expect((await instance.request('GET', url, { session: appointed.session })).body.reason).toBe(
      'not_a_member',
    )
  })

  test('is also for an API key that the owner created with every permission', async () => {
    const workspace = await createFilledWorkspace(instance)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const archive = await archiveWorkspace(instance, workspace)
    const key = await instance.key(workspace.id, permissions, { rank: OWNER_RANK })
    expect((await workspaces({ id: workspace.id, fromArchive: archive.id }, { key })).status).toBe(200)
    expect(await readLastJob(instance, workspace)).toMatchObject({ state: 'succeeded', error: null })
  })

  test('with an archive of another workspace gets 404, also for an owner of both', async () => {
    const workspace = await createFilledWorkspace(instance)
    const archive = await archiveWorkspace(instance, workspace)
    const credentials = { session: workspace.ownerSession }
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const otherMember = (await workspaces({ groupName: 'Other' }, credentials)).body.workspace
    await workspaces({ id: otherMember.id, archive: true }, credentials)
    const response = await workspaces({ id: otherMember.id, fromArchive: archive.id }, credentials)
    expect([response.status, response.body.code]).toEqual([404, 'not_found'])
  })
})
