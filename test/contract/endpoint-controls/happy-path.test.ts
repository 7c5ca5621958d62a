import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints, permissions } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/endpoint-controls'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const defaultControls = (workspaceId: string) =>
  endpoints.map((endpoint) => ({
    workspaceId,
    endpoint,
    mode: 'on',
    message: null,
    updatedAt: null,
    updatedBy: null,
  }))
const setControl = (workspaceId: string, ownerSession: string, fields: object) =>
  instance.request('POST', '/portal/api/endpoint-controls', {
    session: ownerSession,
    body: { workspaceId, ...fields },
  })
const controlsFor = async (credentials: { key?: string; session?: string }) =>
  (await instance.request('POST', path, credentials)).body.controls

describe('listing', () => {
  test('a key sees every endpoint of its workspace, by default on', async () => {
    const { status, body } = await instance.request('POST', path, { key: workspace.key })
    expect(status).toBe(200)
    expect(body).toEqual({ controls: defaultControls(workspace.id) })
  })

  test('GET, HEAD, an empty body, {} and the legacy prefix are equivalent', async () => {
    const expected = { controls: defaultControls(workspace.id) }
    const credentials = { key: workspace.key }
    expect((await instance.request('GET', path, credentials)).body).toEqual(expected)
    expect((await instance.request('POST', path, { ...credentials, body: {} })).body).toEqual(expected)
    expect((await instance.request('POST', path, { ...credentials, body: '' })).body).toEqual(expected)
    const legacy = `${LEGACY_PREFIX}/endpoint-controls`
    expect((await instance.request('POST', legacy, credentials)).body).toEqual(expected)
    expect((await instance.request('HEAD', path, credentials)).status).toBe(200)
  })

  test('an account sees every workspace in which it may view controls, and no others', async () => {
    const viewer = await instance.member(workspace.id, ['endpoint_controls.view'])
    const others = [await instance.workspace(), await instance.workspace()] as const
    const add = async (to: (typeof others)[number], set: typeof permissions) => {
      const { body } = await instance.request('GET', `/portal/api/members?workspaceId=${workspace.id}`, {
        session: workspace.ownerSession,
      })
      const member = body.members.find(
        (member: { accountId: string }) => member.accountId === viewer.accountId,
      )
      const roleIds = await instance.role(to.id, set)
      await joinWorkspace(instance, to, { username: member.username, roleIds })
    }
    await add(
      others[0],
      permissions.filter((permission) => permission !== 'endpoint_controls.view'),
    )
    await add(others[1], ['endpoint_controls.view'])
    expect(await controlsFor({ session: viewer.session })).toEqual([
      ...defaultControls(workspace.id),
      ...defaultControls(others[1].id),
    ])
  })

  test('an account without a workspace gets an empty list', async () => {
    const session = await instance.session(await instance.account())
    expect(await controlsFor({ session })).toEqual([])
  })

  test('works over quota', async () => {
    const full = await instance.workspace()
    const operator = await instance.session(await instance.account(undefined, true))
    await instance.request('POST', '/admin/api/quotas', {
      session: operator,
      body: { workspaceId: full.id, monthlyQuota: '0' },
    })
    expect((await instance.request('POST', path, { key: full.key })).status).toBe(200)
  })
})

describe('changing a control', () => {
  test('off refuses all requests from the next one, with the stored message, until the mode is on again', async () => {
    const { id, key, ownerSession } = await instance.workspace()
    const list = () => instance.request('GET', `/api/departments?workspaceId=${id}`, { key })
    expect((await list()).status).toBe(200)
    const { status, body } = await setControl(id, ownerSession, {
      endpoint: 'departments',
      mode: 'off',
      message: 'Back at 18:00 UTC.',
    })
    expect([status, body.control.mode, body.control.message]).toEqual([200, 'off', 'Back at 18:00 UTC.'])
    const rejectedResponse = await list()
    expect([rejectedResponse.status, rejectedResponse.body.reason, rejectedResponse.body.error]).toEqual([
      403,
      'endpoint_disabled',
      'Back at 18:00 UTC.',
    ])
    await setControl(id, ownerSession, { endpoint: 'departments', mode: 'on' })
    expect((await list()).status).toBe(200)
  })

  test('read_only refuses writes only', async () => {
    const { id, key, ownerSession } = await instance.workspace()
    await setControl(id, ownerSession, { endpoint: 'departments', mode: 'read_only' })
    expect((await instance.request('GET', `/api/departments?workspaceId=${id}`, { key })).status).toBe(200)
    const write = await instance.request('POST', '/api/departments', {
      key,
      body: { workspaceId: id, name: 'A' },
    })
    expect([write.status, write.body.reason]).toEqual([403, 'endpoint_read_only'])
  })

  test('records who changed it and when, and clears a message that is not sent again', async () => {
    const { id, key, ownerId, ownerSession } = await instance.workspace()
    const at = new Date(instance.ports.now()).toISOString()
    await setControl(id, ownerSession, { endpoint: 'events', mode: 'off', message: 'Soon.' })
    const readEventsControl = async () =>
      (await controlsFor({ key })).find((control: { endpoint: string }) => control.endpoint === 'events')
    expect(await readEventsControl()).toEqual({
      workspaceId: id,
      endpoint: 'events',
      mode: 'off',
      message: 'Soon.',
      updatedAt: at,
      updatedBy: ownerId,
    })
    for (const message of [undefined, null, '']) {
      await setControl(id, ownerSession, { endpoint: 'events', mode: 'off', message })
      expect((await readEventsControl()).message).toBeNull()
    }
  })

  test('does not affect other workspaces', async () => {
    const [first, second] = [await instance.workspace(), await instance.workspace()]
    await setControl(first.id, first.ownerSession, { endpoint: 'events', mode: 'off' })
    expect(await controlsFor({ key: second.key })).toEqual(defaultControls(second.id))
  })

  test('works over quota, because it stops a runaway script', async () => {
    const { id, ownerSession } = await instance.workspace()
    const operator = await instance.session(await instance.account(undefined, true))
    await instance.request('POST', '/admin/api/quotas', {
      session: operator,
      body: { workspaceId: id, monthlyQuota: '0' },
    })
    expect((await setControl(id, ownerSession, { endpoint: 'events', mode: 'off' })).status).toBe(200)
  })

  test('is in the audit log, with the values before and after', async () => {
    const { id, ownerSession } = await instance.workspace()
    await setControl(id, ownerSession, { endpoint: 'moderation', mode: 'read_only', message: 'Paused.' })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${id}&limit=1`, {
      session: ownerSession,
    })
    expect(body.entries[0]).toMatchObject({
      action: 'endpoint_controls.set',
      targetKind: 'endpoint_control',
      targetId: 'moderation',
      changes: { before: { mode: 'on' }, after: { mode: 'read_only', message: 'Paused.' } },
    })
  })
})
