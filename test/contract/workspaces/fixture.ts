import { expect } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { dataUrl, imageBytes } from '../../support/images.ts'
import type { Instance, RequestOptions } from '../../support/instance.ts'
import { readArchive } from '../../support/workspace-jobs.ts'

export type Workspace = Awaited<ReturnType<Instance['workspace']>>

const HOUR = 3_600_000

/** Sends requests with a workspace's key and as its owner. They must return 200. */
export function createWorkspaceRequests(instance: Instance, { id, key, ownerSession }: Workspace) {
  const requestOk = async (
    method: string,
    path: string,
    credentials: RequestOptions,
    body: Record<string, unknown>,
  ) => {
    const response = await instance.request(method, path, {
      ...credentials,
      body: { workspaceId: id, ...body },
    })
    if (response.status !== 200)
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.text}`)
    return response.body
  }
  const keyCredentials = { key }
  const ownerCredentials = { session: ownerSession }
  return {
    moderate: async (body: Record<string, unknown>) =>
      (await requestOk('POST', '/api/moderation', keyCredentials, body)).record as { id: string },
    writeDepartment: async (body: Record<string, unknown>, method = 'POST') =>
      (await requestOk(method, '/api/departments', keyCredentials, body)).department as { id: string },
    writeEvent: async (body: Record<string, unknown>, method = 'POST') =>
      (await requestOk(method, '/api/events', keyCredentials, body)).event as { id: string },
    setDepartmentMembers: (
      departmentId: string,
      accountIds: readonly string[],
      leadId: string | null = null,
    ) =>
      requestOk('POST', '/portal/api/departments/members', ownerCredentials, {
        id: departmentId,
        accountIds: accountIds.join(),
        leadId,
      }),
    /** Says who works on a case, who was mentioned in it, and what is known about its player. */
    shareCase: async (recordId: string, userId: string, accountId: string) => {
      await requestOk('POST', '/portal/api/claims', ownerCredentials, { recordId })
      await requestOk('POST', '/portal/api/assignments', ownerCredentials, { recordId, accountId })
      await requestOk('POST', '/portal/api/pinned-notes', ownerCredentials, { recordId })
      await requestOk('POST', '/portal/api/pinned-notes', ownerCredentials, { userId, text: 'Ask Robin' })
      const value = `See this, <@${accountId}>`
      await requestOk('POST', '/api/moderation', keyCredentials, { action: 'comment', id: recordId, value })
      const link = { userId, linkedUserId: `${userId}0`, confidence: 'low', reason: 'Same clan' }
      await requestOk('POST', '/api/moderation/links', keyCredentials, link)
    },
    orderDepartments: (ids: readonly string[]) =>
      requestOk('POST', '/portal/api/departments/order', ownerCredentials, { ids: ids.join() }),
    deleteEvent: (eventId: string) =>
      instance.request('DELETE', `/api/events?workspaceId=${id}&id=${eventId}`, keyCredentials),
    setRolePermissions: (roleId: string, permissionSet: readonly Permission[]) =>
      requestOk('POST', '/api/_workspace-permissions', keyCredentials, {
        roleId,
        permissions: permissionSet.join(),
      }),
    createRole: async (body: Record<string, unknown>) =>
      (await requestOk('POST', '/portal/api/roles', ownerCredentials, body)).role as { id: string },
    assignRoles: (accountId: string, roleIds: readonly string[]) =>
      requestOk('PATCH', '/portal/api/members', ownerCredentials, { accountId, roleIds: roleIds.join() }),
    linkPlayers: (accountId: string, userIds: readonly string[]) =>
      requestOk('PATCH', '/portal/api/members/players', ownerCredentials, {
        accountId,
        userIds: userIds.join(),
      }),
    removeMember: (accountId: string) =>
      instance.request(
        'DELETE',
        `/portal/api/members?workspaceId=${id}&accountId=${accountId}`,
        ownerCredentials,
      ),
    setEndpointControl: (endpoint: string, mode: string, message: string | null = null) =>
      requestOk('POST', '/portal/api/endpoint-controls', ownerCredentials, { endpoint, mode, message }),
    workspaces: (body: Record<string, unknown>, credentials: RequestOptions = keyCredentials) =>
      instance.request('POST', '/api/workspaces', { ...credentials, body }),
  }
}

/** Creates objects of every kind in a workspace, in every possible state. */
async function fillWorkspace(instance: Instance, workspace: Workspace): Promise<void> {
  const requests = createWorkspaceRequests(instance, workspace)
  const {
    moderate,
    writeDepartment,
    writeEvent,
    setRolePermissions,
    createRole,
    assignRoles,
    setEndpointControl,
  } = requests
  const { clock } = instance

  await moderate({ action: 'note', userId: '1', reason: 'Seen\nbefore 🌙', userUsername: 'Ünï' })
  const warning = await moderate({ action: 'warn', userId: '1', reason: 'Spam', evidence: 'one\ntwo' })
  await moderate({ action: 'acknowledge', id: warning.id })
  const kick = await moderate({ action: 'kick', userId: '2', reason: 'Away', severity: 'critical' })
  await moderate({ action: 'revoke', id: kick.id, reason: 'Mistaken' })
  await moderate({ action: 'mute', userId: '2', reason: 'Loud', durationSeconds: '60' })
  await moderate({ action: 'mute', userId: '3', reason: 'Loud', durationSeconds: '86400' })
  const ban = await moderate({ action: 'ban', userId: '3', reason: 'First', durationSeconds: '86400' })
  await moderate({ action: 'edit', id: ban.id, reason: 'Better said', severity: 'low' })
  await moderate({ action: 'extend', id: ban.id, value: '-3600' })
  await moderate({ action: 'comment', id: ban.id, value: 'Asked twice' })
  await moderate({ action: 'evidence', id: ban.id, value: 'https://example.com/clip' })
  clock.advance(61_000)
  await moderate({
    action: 'ban',
    userId: '3',
    reason: 'Supersedes',
    actorUsername: 'game',
    actorPlatformUserId: '9',
  })
  await moderate({ action: 'ban', userId: '4', reason: 'Lifted' })
  await moderate({
    action: 'unban',
    userId: '4',
    reason: 'Appealed',
    actorUsername: 'game',
    actorPlatformUserId: '9',
  })
  const redactedBan = await moderate({
    action: 'ban',
    userId: '5',
    reason: 'Private words',
    evidence: 'private',
  })
  await moderate({ action: 'comment', id: redactedBan.id, value: 'private' })
  await moderate({ action: 'redact', id: redactedBan.id, reason: 'Asked for' })
  await moderate({ action: 'ban', userId: '6', reason: 'Permanent' })

  const firstDepartment = await writeDepartment({
    name: 'Public relations',
    color: '#abc',
    description: 'Answers.\nAlways.',
  })
  await writeDepartment({ id: firstDepartment.id, name: 'PR' }, 'PATCH')
  const deletedDepartment = await writeDepartment({ name: 'Gone' })
  await writeDepartment({ id: deletedDepartment.id, action: 'delete' })
  const reusedNameDepartment = await writeDepartment({ name: 'gone' })

  const inOneHour = new Date(clock.now() + HOUR).toISOString()
  await writeEvent({ title: 'Draft', scheduledFor: inOneHour })
  await writeEvent({
    title: 'Pictured',
    scheduledFor: inOneHour,
    published: true,
    imageDataUrl: dataUrl(imageBytes('png')),
  })
  await writeEvent({
    title: 'Pictured too',
    scheduledFor: inOneHour,
    imageDataUrl: dataUrl(imageBytes('gif')),
  })
  await writeEvent({ title: 'Linked', scheduledFor: inOneHour, imageUrl: 'https://example.com/a.png' })
  await writeEvent({
    title: 'Training',
    scheduledFor: inOneHour,
    eventType: 'training',
    trainingHost: 'Robin',
    experienceId: '5',
    experienceName: 'Harbour',
    published: true,
  })

  const trainer = await createRole({
    name: 'Trainer',
    color: '#102030',
    rank: '7',
    permissions: 'events.manage',
  })
  const { accountId } = await instance.member(workspace.id, ['moderation.view'], 5)
  const { accountId: secondAccountId, roleId } = await instance.member(workspace.id, permissions, 20)
  await assignRoles(accountId, [trainer.id])
  await assignRoles(secondAccountId, [trainer.id, roleId])
  await setRolePermissions(roleId, ['moderation.ban', 'moderation.view'])
  await requests.setDepartmentMembers(
    firstDepartment.id,
    [accountId, secondAccountId, workspace.ownerId],
    secondAccountId,
  )
  await requests.shareCase(ban.id, '3', secondAccountId)
  await requests.setDepartmentMembers(reusedNameDepartment.id, [accountId])
  await requests.orderDepartments([reusedNameDepartment.id, firstDepartment.id])
  await setEndpointControl('departments', 'on', 'Once closed')
  await setEndpointControl('events', 'read_only', 'Calendar is frozen')
}

/** Creates a workspace with objects of every kind. */
export async function createFilledWorkspace(instance: Instance): Promise<Workspace> {
  const workspace = await instance.workspace('Harbour staff')
  await fillWorkspace(instance, workspace)
  return workspace
}

/** Archives a workspace. @returns the complete archive */
export async function archiveWorkspace(instance: Instance, workspace: Workspace) {
  const { body, status, text } = await createWorkspaceRequests(instance, workspace).workspaces({
    id: workspace.id,
    archive: true,
  })
  expect(status, text).toBe(200)
  await instance.runJobs()
  const archive = await readArchive(instance, { session: workspace.ownerSession }, body.archive)
  return archive as { id: string; sha256: string; counts: Record<string, string> }
}

/** The IDs of the API keys of a workspace. */
export const listKeyIds = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('api_key').select('id').where('workspace_id', '=', p.workspaceId),
)

/** Checks that the audit chain of every workspace is intact. */
export async function expectIntactAuditChain(instance: Instance) {
  expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
}

/** Requests to `/api/workspaces` that must succeed. */
export function createWorkspacesClient(getInstance: () => Instance) {
  const path = '/api/workspaces'
  return {
    path,
    async post(credentials: RequestOptions, body: Record<string, unknown>) {
      const response = await getInstance().request('POST', path, { ...credentials, body })
      expect(response.status, response.text).toBe(200)
      return response.body
    },
    async get(credentials: RequestOptions, query: Record<string, string> = {}) {
      const search = new URLSearchParams(query)
      const response = await getInstance().request('GET', `${path}?${search}`, credentials)
      expect(response.status, response.text).toBe(200)
      return response.body
    },
  }
}
