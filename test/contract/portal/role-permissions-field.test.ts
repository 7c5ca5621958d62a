import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/roles/permissions'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const send = (fields: object, headers = {}) =>
  instance.request('POST', path, {
    session: workspace.ownerSession,
    headers,
    body: { workspaceId: workspace.id, ...fields },
  })

describe('the field with the permissions of several roles', () => {
  test('is refused in any other form, and the message says which role is wrong', async () => {
    const id = await instance.role(workspace.id, [])
    const role = { id, permissions: 'usage.view', version: '1' }
    const expected: readonly (readonly [unknown, string])[] = [
      ['', 'must be a JSON array of roles, as a string'],
      [id, 'must be a JSON array of roles, as a string'],
      [role, 'must be a JSON array of roles, as a string'],
      [[], 'must list 1 to 200 roles'],
      [Array.from({ length: 201 }, () => role), 'must list 1 to 200 roles'],
      [[role, role], 'must list each role once'],
      [[role, id], 'role 2: must be an object'],
      [[{ ...role, id: '' }], 'role 1: id must be an id issued by this service'],
      [[role, { ...role, permissions: undefined }], 'role 2: permissions is required'],
      [[{ ...role, permissions: {} }], 'role 1: permissions must be a string or an array of strings'],
      [[{ ...role, permissions: [1] }], 'role 1: permissions must be a string or an array of strings'],
      [[{ ...role, permissions: 'usage.veiw' }], 'role 1: permissions names unknown permissions: usage.veiw'],
      [[{ ...role, version: null }], 'role 1: version is required'],
      [[{ ...role, rank: '5' }], 'role 1: rank is not a field of a role'],
    ]
    for (const [roles, message] of expected) {
      const text = typeof roles === 'string' ? roles : JSON.stringify(roles)
      const { status, details } = await expectRejectedUnchanged(instance, () => send({ roles: text }))
      expect([status, details]).toEqual([400, [{ field: 'roles', message }]])
    }
    expect((await send({})).body.details).toEqual([{ field: 'roles', message: 'is required' }])
  })

  test('has the versions, so a header with one is refused', async () => {
    const id = await instance.role(workspace.id, [])
    const roles = JSON.stringify([{ id, permissions: '', version: '1' }])
    const { status, details } = await expectRejectedUnchanged(instance, () =>
      send({ roles }, { 'if-match': '"1"' }),
    )
    expect([status, details[0].field]).toEqual([400, 'If-Match'])
  })

  test('can list as many roles as a workspace has, with every permission', async () => {
    const ids: string[] = []
    for (let rank = 1; rank <= 200; rank += 1) ids.push(await instance.role(workspace.id, [], rank))
    const roles = JSON.stringify(ids.map((id) => ({ id, permissions, version: '1' })))
    const { status, body } = await send({ roles })
    expect([status, body.error]).toEqual([200, undefined])
    const changed = body.roles.filter(({ version }: { version: string }) => version === '2')
    expect(changed).toHaveLength(200)
    for (const role of changed) expect(JSON.parse(role.permissions)).toEqual(permissions)
  })
})

test('changing the permissions of several roles requires roles.manage', async () => {
  const id = await instance.role(workspace.id, ['usage.view'], 4)
  await expectAccessRules(instance, {
    method: 'POST',
    path,
    who: 'session',
    workspaceId: workspace.id,
    body: { workspaceId: workspace.id, roles: JSON.stringify([{ id, permissions: '', version: '1' }]) },
    permission: 'roles.manage',
  })
  expect(instance.unexpectedErrors).toEqual([])
})
