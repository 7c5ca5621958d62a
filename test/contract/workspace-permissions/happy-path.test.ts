import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissionCatalog, permissions } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/_workspace-permissions'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const toPath = (query: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`
const set = (roleId: string, value: unknown, headers: Record<string, string> = {}) =>
  instance.request('POST', path, {
    key: workspace.key,
    body: { workspaceId: workspace.id, roleId, permissions: value },
    headers,
  })

describe('replacing the permissions of a role', () => {
  test('accepts a JSON array or a comma-separated list, and returns the role with string fields', async () => {
    const roleId = await instance.role(workspace.id, ['moderation.view'], 40)
    const array = await set(roleId, '["moderation.ban", "events.view"]')
    expect(array.status).toBe(200)
    expect(array.body).toEqual({
      role: {
        id: roleId,
        workspaceId: workspace.id,
        name: expect.any(String),
        color: null,
        rank: '40',
        permissions: '["moderation.ban","events.view"]',
        longestBanSeconds: null,
        longestMuteSeconds: null,
        highestSeverity: null,
        bansPerHour: null,
        evidenceFromSeverity: null,
        permanentBansNeedApproval: 'false',
        isOwner: 'false',
        createdAt: new Date(instance.ports.now()).toISOString(),
        updatedAt: new Date(instance.ports.now()).toISOString(),
        version: '2',
      },
    })
    const list = await set(roleId, ' events.view ,audit.view,events.view,')
    expect(list.body.role.permissions).toBe('["events.view","audit.view"]')
  })

  test('with an empty string or array removes every permission', async () => {
    const roleId = await instance.role(workspace.id, ['moderation.view'])
    for (const emptySet of ['', '[]', ' ']) {
      await set(roleId, 'moderation.view')
      expect((await set(roleId, emptySet)).body.role.permissions).toBe('[]')
    }
  })

  test('applies from the next request of its members', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const list = () =>
      instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session: member.session })
    expect((await list()).status).toBe(200)
    await set(member.roleId, '')
    expect((await list()).body.reason).toBe('missing_permission')
    await set(member.roleId, 'departments.view')
    expect((await list()).status).toBe(200)
  })

  test('works under the legacy prefix, and with workspaceId in the query', async () => {
    const roleId = await instance.role(workspace.id, [])
    const { status, body } = await instance.request(
      'POST',
      `${LEGACY_PREFIX}/_workspace-permissions?workspaceId=${workspace.id}`,
      { key: workspace.key, body: { roleId, permissions: 'usage.view' } },
    )
    expect([status, body.role?.permissions]).toEqual([200, '["usage.view"]'])
  })

  test('with an Idempotency-Key is done once', async () => {
    const roleId = await instance.role(workspace.id, [])
    const first = await set(roleId, 'usage.view', { 'idempotency-key': 'once' })
    const replayed = await set(roleId, 'usage.view', { 'idempotency-key': 'once' })
    expect(replayed.body).toEqual(first.body)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    const { body } = await instance.request('GET', toPath({ roleId }), { key: workspace.key })
    expect(body.role.version).toBe('2')
  })

  test('of concurrent changes with the same If-Match, exactly one succeeds', async () => {
    const roleId = await instance.role(workspace.id, [])
    const responses = await Promise.all(
      permissions.slice(0, 10).map((permission) => set(roleId, permission, { 'if-match': '"1"' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  })

  test('is in the audit log, with the values before and after', async () => {
    const roleId = await instance.role(workspace.id, ['audit.view'])
    await set(roleId, 'usage.view')
    const { body } = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&targetId=${roleId}`,
      { session: workspace.ownerSession },
    )
    expect(body.entries).toHaveLength(1)
    expect(body.entries[0]).toMatchObject({
      action: 'roles.update',
      targetKind: 'role',
      actorKind: 'api_key',
      changes: { before: { permissions: '["audit.view"]' }, after: { permissions: '["usage.view"]' } },
    })
  })
})

describe('reading', () => {
  test('lists every role, highest rank first, and every permission with its description', async () => {
    const freshWorkspace = await instance.workspace()
    const lowRole = await instance.role(freshWorkspace.id, [], 5)
    const highRole = await instance.role(freshWorkspace.id, ['events.view'], 900)
    const { status, body } = await instance.request('GET', `${path}?workspaceId=${freshWorkspace.id}`, {
      key: freshWorkspace.key,
    })
    expect(status).toBe(200)
    expect(body.roles.map((role: { id: string }) => role.id)).toEqual([
      freshWorkspace.ownerRoleId,
      highRole,
      lowRole,
    ])
    expect(body.permissions).toEqual(
      permissions.map((name) => ({ name, description: permissionCatalog[name] })),
    )
  })

  test('returns the owner role with every permission', async () => {
    const { body } = await instance.request('GET', toPath({ id: workspace.ownerRoleId }), {
      key: workspace.key,
    })
    expect(body.role.isOwner).toBe('true')
    expect(JSON.parse(body.role.permissions)).toEqual([...permissions])
  })

  test('selects a role by roleId, by id, or by both if they are equal', async () => {
    const roleId = await instance.role(workspace.id, ['events.view'])
    for (const query of [{ roleId }, { id: roleId }, { id: roleId, roleId }]) {
      const { body } = await instance.request('GET', toPath(query), { session: workspace.ownerSession })
      expect(body.role.id).toBe(roleId)
    }
  })

  test('HEAD is GET without the body', async () => {
    const { status, text } = await instance.request('HEAD', toPath(), { key: workspace.key })
    expect([status, text]).toEqual([200, ''])
  })
})
