import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dataUrl, imageBytes } from '../../support/images.ts'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace with one resource of each kind, and an update of each that sets what is stored already. */
async function createUpdates() {
  const workspace = await instance.workspace()
  const { id: workspaceId, key, ownerSession: session } = workspace
  const requests = createWorkspaceRequests(instance, workspace)
  const send = async (method: string, path: string, credentials: RequestOptions, body: object) => {
    const response = await instance.request(method, path, { ...credentials, body: { workspaceId, ...body } })
    return { status: response.status, body: response.body, error: response.text }
  }
  const mute = { action: 'mute', userId: '1', reason: 'Loud', durationSeconds: '600' }
  const { id: recordId } = await requests.moderate({ ...mute, userUsername: 'Robin', evidence: 'one\ntwo' })
  const { id: departmentId } = await requests.writeDepartment({ name: 'Relations', color: '#aabbcc' })
  const { id: otherDepartmentId } = await requests.writeDepartment({ name: 'Other' })
  const imageDataUrl = dataUrl(imageBytes('png'))
  const event = { title: 'Shift', scheduledFor: instance.clock.now() + 1000, eventType: 'shift' }
  const { id: eventId } = await requests.writeEvent({ ...event, imageDataUrl })
  const { id: roleId } = await requests.createRole({ name: 'Helper', rank: '5', permissions: '' })
  await requests.setRolePermissions(roleId, ['moderation.view', 'moderation.note'])
  const { accountId } = await instance.member(workspaceId, [])
  await requests.assignRoles(accountId, [roleId])
  await requests.setDepartmentMembers(departmentId, [accountId], accountId)
  await requests.orderDepartments([otherDepartmentId, departmentId])
  await requests.setEndpointControl('events', 'read_only', 'Closed')
  const view = { list: 'records', name: 'Mine', filters: 'status=active', shared: 'true' }
  const { savedView } = (await send('POST', '/portal/api/saved-views', { session }, view)).body
  await requests.workspaces({ id: workspaceId, groupName: 'Group' }, { session })
  const [portal, public_] = [{ session }, { key }]
  await requests.setEndpointControl('events', 'on')
  return {
    'moderation edit': () =>
      send('POST', '/api/moderation', public_, {
        action: 'edit',
        id: recordId,
        reason: ' Loud ',
        severity: 'medium',
        durationSeconds: 600,
        userUsername: 'Robin',
        evidence: ['one', 'two'],
      }),
    'PATCH departments': () =>
      send('PATCH', '/api/departments', public_, {
        id: departmentId,
        name: 'Relations',
        color: '#ABC',
        description: null,
      }),
    'POST departments update': () =>
      send('POST', '/api/departments', public_, {
        id: departmentId,
        action: 'update',
        name: 'Relations',
      }),
    'PATCH events': () => send('PATCH', '/api/events', public_, { id: eventId, ...event, published: false }),
    'PATCH events with its image': () => send('PATCH', '/api/events', public_, { id: eventId, imageDataUrl }),
    '_workspace-permissions': () =>
      send('POST', '/api/_workspace-permissions', public_, {
        roleId,
        permissions: 'moderation.note,moderation.view',
      }),
    'POST workspaces': () =>
      instance.request('POST', '/api/workspaces', {
        ...portal,
        body: { id: workspaceId, groupName: 'Group' },
      }),
    'PATCH workspace': () => send('PATCH', '/portal/api/workspace', portal, { groupName: 'Group' }),
    'PATCH roles': () =>
      send('PATCH', '/portal/api/roles', portal, { id: roleId, name: 'Helper', rank: '5' }),
    'PATCH members': () => send('PATCH', '/portal/api/members', portal, { accountId, roleIds: roleId }),
    'POST departments/members': () =>
      send('POST', '/portal/api/departments/members', portal, {
        id: departmentId,
        accountIds: accountId,
        leadId: accountId,
      }),
    'POST departments/order': () =>
      send('POST', '/portal/api/departments/order', portal, { ids: `${otherDepartmentId},${departmentId}` }),
    'POST endpoint-controls': () =>
      send('POST', '/portal/api/endpoint-controls', portal, {
        endpoint: 'events',
        mode: 'on',
        message: null,
      }),
    'PATCH saved-views': () =>
      send('PATCH', '/portal/api/saved-views', portal, { id: savedView.id, name: 'Mine', shared: 'true' }),
  }
}

test('an update that sets what is stored already returns it, without a new version or an audit entry', async () => {
  for (const [name, sendUpdate] of Object.entries(await createUpdates())) {
    instance.clock.advance(1)
    const before = await readStoredRows(instance)
    const { status } = await sendUpdate()
    expect([name, status]).toEqual([name, 200])
    expect([name, await readStoredRows(instance)]).toEqual([name, before])
  }
})

test('an update that changes nothing still requires the current version', async () => {
  const workspace = await instance.workspace()
  const { writeDepartment } = createWorkspaceRequests(instance, workspace)
  const { id } = await writeDepartment({ name: 'A' })
  await writeDepartment({ id, name: 'B' }, 'PATCH')
  const send = (version: string) =>
    instance.request('PATCH', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      headers: { 'if-match': `"${version}"` },
      body: { id, name: 'B' },
    })
  expect((await send('1')).status).toBe(412)
  const current = await send('2')
  expect([current.status, current.body.department.version]).toEqual([200, '2'])
})

describe('a change without any field to change', () => {
  test('is rejected by every PATCH and changes nothing', async () => {
    const workspace = await instance.workspace()
    const { id: workspaceId, key, ownerSession: session } = workspace
    const operator = await instance.session(await instance.account(undefined, true))
    const { writeDepartment, writeEvent, createRole } = createWorkspaceRequests(instance, workspace)
    const department = await writeDepartment({ name: 'A' })
    const event = await writeEvent({ title: 'A', scheduledFor: '2030-01-01T00:00:00Z' })
    const role = await createRole({ name: 'A', rank: '5' })
    const view = { workspaceId, list: 'records', name: 'A', filters: 'status=active' }
    const { body } = await instance.request('POST', '/portal/api/saved-views', { session, body: view })
    for (const [method, path, credentials, fields] of [
      ['PATCH', '/api/departments', { key }, { id: department.id }],
      ['PATCH', '/api/departments', { key }, { id: department.id, action: 'update' }],
      ['POST', '/api/departments', { key }, { id: department.id, action: 'update' }],
      ['PATCH', '/api/events', { key }, { id: event.id }],
      ['POST', '/api/events', { key }, { id: event.id }],
      ['PATCH', '/portal/api/roles', { session }, { id: role.id }],
      ['PATCH', '/portal/api/saved-views', { session }, { id: body.savedView.id }],
      ['PATCH', '/portal/api/workspace', { session }, {}],
      ['PATCH', '/portal/api/members', { session }, { accountId: workspace.ownerId }],
      ['PATCH', '/admin/api/accounts', { session: operator }, { id: workspace.ownerId }],
    ] as const) {
      const before = await readStoredRows(instance)
      const named = path === '/admin/api/accounts' ? fields : { workspaceId, ...fields }
      const response = await instance.request(method, path, { ...credentials, body: named })
      expect([method, path, response.status, response.body.code]).toEqual([
        method,
        path,
        400,
        'invalid_request',
      ])
      expect(await readStoredRows(instance)).toEqual(before)
    }
  })

  test('is told which fields there are', async () => {
    const workspace = await instance.workspace()
    const body = { workspaceId: workspace.id, id: workspace.id }
    const response = await instance.request('PATCH', '/api/departments', { key: workspace.key, body })
    expect(response.body.error).toBe(
      'body: must contain at least one field to change: name, color, description',
    )
  })
})
