import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance, type RequestOptions, UNKNOWN_ID } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let roleId: string
const path = '/api/_workspace-permissions'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  roleId = await instance.role(workspace.id, ['moderation.view', 'moderation.ban'], 50)
})
afterAll(() => instance.close())

/** Sends a request and expects that it changes nothing. */
async function expectRejected(body: unknown, options: RequestOptions = { key: workspace.key }) {
  const before = await readStoredRows(instance)
  const response = await instance.request('POST', path, { body, ...options })
  expect(await readStoredRows(instance)).toEqual(before)
  expect(response.body.requestId).toBe(response.headers.get('x-request-id'))
  return { status: response.status, ...response.body }
}
const setting = (value: unknown) => ({ workspaceId: workspace.id, roleId, permissions: value })

describe('400', () => {
  test('without workspaceId, the error is `Missing workspaceId` for every caller', async () => {
    for (const key of ['rve_junk', workspace.key]) {
      expect(await expectRejected({ roleId, permissions: '' }, { key })).toMatchObject({
        status: 400,
        error: 'Missing workspaceId',
        code: 'missing_workspace_id',
      })
      const readResponse = await instance.request('GET', path, { key })
      expect([readResponse.status, readResponse.body.error]).toEqual([400, 'Missing workspaceId'])
    }
  })

  test('all missing fields are named: missing permissions are not empty permissions', async () => {
    const { details } = await expectRejected({ workspaceId: workspace.id })
    expect(details).toEqual([
      { field: 'roleId', message: 'is required' },
      { field: 'permissions', message: 'is required' },
    ])
    expect((await expectRejected({ workspaceId: workspace.id, roleId })).details).toEqual([
      { field: 'permissions', message: 'is required' },
    ])
  })

  test('unknown permissions are listed', async () => {
    const { details } = await expectRejected(setting('moderation.view,moderation.bann,*'))
    expect(details).toEqual([
      { field: 'permissions', message: 'names unknown permissions: moderation.bann, *' },
    ])
  })

  const values: Record<string, unknown> = {
    'an array of anything but strings': [['moderation.view']],
    'an object': { 'moderation.view': true },
    null: null,
    'a number': 7,
    'a broken array': '["moderation.view"',
    'an array of numbers': '[1]',
    'a nested array': '[["moderation.view"]]',
    'the name of a built-in': 'constructor,__proto__',
    'a name in another case': 'Moderation.View',
    'a lone surrogate': '\ud800',
    'very long': 'x'.repeat(60_000),
  }
  for (const [description, value] of Object.entries(values)) {
    test(`permissions that are ${description} are refused with their field name`, async () => {
      const { status, details } = await expectRejected(setting(value))
      expect([status, details?.length, details?.[0].field]).toEqual([400, 1, 'permissions'])
      expect(JSON.stringify(details).length).toBeLessThan(2000)
    })
  }

  test('an unknown field is named, with a suggestion', async () => {
    const { details } = await expectRejected({ workspaceId: workspace.id, roleID: roleId, permissions: '' })
    expect(details).toEqual([
      { field: 'roleID', message: 'is not a field of this request; did you mean roleId?' },
    ])
  })

  test('id and roleId that differ are refused', async () => {
    const { status, body } = await instance.request(
      'GET',
      `${path}?workspaceId=${workspace.id}&id=${roleId}&roleId=${UNKNOWN_ID}`,
      { key: workspace.key },
    )
    expect([status, body.details[0].field]).toEqual([400, 'id'])
  })
})

describe('403: granting requires having', () => {
  const permissionSet: Permission[] = ['roles.manage', 'moderation.view']

  test('the caller must have every added permission, and the first missing one is named', async () => {
    const key = await instance.key(workspace.id, permissionSet)
    expect(
      await expectRejected(setting('moderation.view,moderation.ban,moderation.unban'), { key }),
    ).toMatchObject({
      status: 403,
      reason: 'missing_permission',
      permission: 'moderation.unban',
    })
  })

  test('permissions that a role already has can be retained or removed by a caller who lacks them', async () => {
    const key = await instance.key(workspace.id, permissionSet)
    const id = await instance.role(workspace.id, ['audit.view', 'usage.view'], 50)
    const response = await instance.request('POST', path, {
      key,
      body: { workspaceId: workspace.id, roleId: id, permissions: 'audit.view,moderation.view' },
    })
    expect(response.body.role?.permissions).toBe('["moderation.view","audit.view"]')
  })

  test('a role of equal or higher rank cannot be changed, by keys or sessions', async () => {
    for (const rank of [50, 49, 1]) {
      const key = await instance.key(workspace.id, permissions, { rank })
      const { session } = await instance.member(workspace.id, permissions, rank)
      expect(await expectRejected(setting(''), { key })).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
      expect(await expectRejected(setting(''), { session })).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('a member cannot extend its own role', async () => {
    const member = await instance.member(workspace.id, permissionSet, 60)
    expect(
      await expectRejected(
        { workspaceId: workspace.id, roleId: member.roleId, permissions: permissions.join() },
        { session: member.session },
      ),
    ).toMatchObject({ status: 403, reason: 'insufficient_rank' })
  })

  test('a member cannot extend its own permissions through a lower role', async () => {
    const member = await instance.member(workspace.id, permissionSet, 60)
    const lower = await instance.role(workspace.id, [], 10)
    await instance.request('PATCH', '/portal/api/members', {
      session: workspace.ownerSession,
      body: {
        workspaceId: workspace.id,
        accountId: member.accountId,
        roleIds: `${member.roleId},${lower}`,
      },
    })
    expect(
      await expectRejected(
        { workspaceId: workspace.id, roleId: lower, permissions: 'audit.view' },
        { session: member.session },
      ),
    ).toMatchObject({ status: 403, reason: 'missing_permission', permission: 'audit.view' })
  })

  test('the owner role outranks every other member', async () => {
    const { session } = await instance.member(workspace.id, permissions, 999_999)
    expect(
      await expectRejected(
        { workspaceId: workspace.id, roleId: workspace.ownerRoleId, permissions: '' },
        { session },
      ),
    ).toMatchObject({ status: 403, reason: 'insufficient_rank' })
  })
})

describe('404, 405, 409, 412', () => {
  test('a role of another workspace gets the same response as an unknown one', async () => {
    const otherWorkspace = await instance.workspace()
    const foreignRole = await instance.role(otherWorkspace.id, [])
    const outcomes = []
    for (const id of [foreignRole, UNKNOWN_ID, 'not-a-uuid', otherWorkspace.ownerRoleId]) {
      const { requestId: _, ...writtenFields } = await expectRejected({ ...setting(''), roleId: id })
      const readResponse = await instance.request('GET', `${path}?workspaceId=${workspace.id}&roleId=${id}`, {
        key: workspace.key,
      })
      outcomes.push(
        JSON.stringify([writtenFields, readResponse.status, readResponse.body.code, readResponse.body.error]),
      )
    }
    expect(new Set(outcomes).size).toBe(1)
    expect(outcomes[0]).toContain('not_found')
  })

  test('the owner role cannot be changed: a conflict, even for the owner', async () => {
    for (const options of [{ key: workspace.key }, { session: workspace.ownerSession }]) {
      const response = await expectRejected(
        { ...setting('moderation.view'), roleId: workspace.ownerRoleId },
        options,
      )
      expect(response).toMatchObject({ status: 409, code: 'conflict' })
      expect(response.error).toContain('every permission')
    }
  })

  test('an outdated version changes nothing', async () => {
    expect(
      await expectRejected(setting(''), { key: workspace.key, headers: { 'if-match': '"99"' } }),
    ).toMatchObject({
      status: 412,
      code: 'version_mismatch',
    })
  })

  test('other methods are refused, with the allowed ones in Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await instance.request(method, `${path}?workspaceId=${workspace.id}`, {
        key: workspace.key,
      })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
