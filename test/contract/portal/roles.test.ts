import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/roles'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const write = (method: string, body: object, session = workspace.ownerSession, headers = {}) =>
  instance.request(method, path, { session, body: { workspaceId: workspace.id, ...body }, headers })
const create = (body: object, session?: string) => write('POST', body, session)
const remove = (id: string, session = workspace.ownerSession, headers = {}) =>
  instance.request('DELETE', `${path}?workspaceId=${workspace.id}&id=${id}`, { session, headers })
const list = async () =>
  (await instance.request('GET', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession }))
    .body.roles
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('a role', () => {
  test('is created, read, changed and deleted', async () => {
    const created = await create({
      name: ' Moderator ',
      rank: 50,
      color: '#ABC',
      permissions: 'moderation.ban',
    })
    expect(created.status).toBe(200)
    const { role } = created.body
    expect(role).toMatchObject({
      name: 'Moderator',
      rank: '50',
      color: '#aabbcc',
      permissions: '["moderation.ban"]',
      isOwner: 'false',
      version: '1',
    })
    const readResponse = await instance.request('GET', `${path}?workspaceId=${workspace.id}&id=${role.id}`, {
      session: workspace.ownerSession,
    })
    expect(readResponse.body).toEqual({ role })
    const changed = await write('PATCH', { id: role.id, rank: '60', color: null })
    expect(changed.body.role).toEqual({ ...role, rank: '60', color: null, version: '2' })
    expect((await remove(role.id)).body.role).toEqual(changed.body.role)
    expect((await list()).map(({ id }: { id: string }) => id)).not.toContain(role.id)
    expect((await remove(role.id)).status).toBe(404)
  })

  test('has no permissions and no color by default', async () => {
    const { role } = (await create({ name: 'Bare', rank: 1 })).body
    expect([role.permissions, role.color]).toEqual(['[]', null])
  })

  test('that is deleted is removed from all members immediately, and its name can be reused', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const departments = () =>
      instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session: member.session })
    expect((await departments()).status).toBe(200)
    const { name } = (await remove(member.roleId)).body.role
    expect((await departments()).body.reason).toBe('missing_permission')
    expect((await create({ name, rank: 5 })).status).toBe(200)
    const { body } = await instance.request(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&targetId=${member.roleId}`,
      { session: workspace.ownerSession },
    )
    expect(body.entries[0]).toMatchObject({
      action: 'roles.delete',
      changes: { before: { name, heldBy: [member.accountId] }, after: null },
    })
  })

  test('is not changed with an outdated If-Match', async () => {
    const { role } = (await create({ name: 'Matched', rank: 5 })).body
    await write('PATCH', { id: role.id, rank: 6 })
    const staleHeaders = { 'if-match': '"1"' }
    for (const step of [
      () => write('PATCH', { id: role.id, rank: 7 }, undefined, staleHeaders),
      () => remove(role.id, undefined, staleHeaders),
    ]) {
      expect(await expectRejected(step)).toMatchObject({ status: 412, code: 'version_mismatch' })
    }
  })
})

describe('names', () => {
  test('are unique regardless of case and width, also with concurrent requests', async () => {
    const responses = await Promise.all(
      ['Straße', 'STRAßE', 'straße', 'ｓｔｒａße'].map((name) => create({ name, rank: 5 })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const other = (await create({ name: 'Another', rank: 5 })).body.role
    expect(await expectRejected(() => write('PATCH', { id: other.id, name: 'sTRAßE' }))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect((await write('PATCH', { id: other.id, name: 'ANOTHER' })).body.role.name).toBe('ANOTHER')
  })

  test('can be reused in another workspace', async () => {
    const other = await instance.workspace()
    const body = { workspaceId: other.id, name: 'Straße', rank: 5 }
    expect((await instance.request('POST', path, { session: other.ownerSession, body })).status).toBe(200)
  })
})

describe('fields', () => {
  test('name and rank are required, and both are named', async () => {
    expect((await expectRejected(() => create({}))).details).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'rank', message: 'is required' },
    ])
    expect((await expectRejected(() => write('PATCH', { name: 'A' }))).details[0].field).toBe('id')
  })

  const invalidCases: [string, object][] = [
    ['rank', { rank: 0 }],
    ['rank', { rank: -1 }],
    ['rank', { rank: '1.5' }],
    ['rank', { rank: '1e3' }],
    ['rank', { rank: 1_000_000 }],
    ['rank', { rank: '' }],
    ['rank', { rank: null }],
    ['name', { name: '' }],
    ['name', { name: ' '.repeat(5) }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: null }],
    ['color', { color: 'red' }],
    ['permissions', { permissions: 'everything' }],
    ['permissions', { permissions: null }],
    ['isOwner', { isOwner: 'true' }],
    ['id', { id: UNKNOWN_ID }],
  ]
  for (const [field, fields] of invalidCases) {
    test(`${JSON.stringify(fields).slice(0, 40)} is refused with its field name`, async () => {
      const { status, details } = await expectRejected(() => create({ name: 'Fine', rank: 5, ...fields }))
      expect([status, details.map((detail: { field: string }) => detail.field)]).toEqual([400, [field]])
    })
  }
})

describe('rank and permissions', () => {
  const permissionSet: Permission[] = ['roles.manage', 'roles.view', 'moderation.view']

  test('a role must rank below its creator, who must have all of its permissions', async () => {
    const { session } = await instance.member(workspace.id, permissionSet, 30)
    for (const rank of [30, 31, 999_999]) {
      expect(await expectRejected(() => create({ name: 'High', rank }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(
      await expectRejected(() => create({ name: 'Rich', rank: 29, permissions: 'moderation.ban' }, session)),
    ).toMatchObject({ status: 403, reason: 'missing_permission', permission: 'moderation.ban' })
    expect(
      (await create({ name: 'Just so', rank: 29, permissions: 'moderation.view' }, session)).status,
    ).toBe(200)
  })

  test('a role cannot be raised to the rank of the actor', async () => {
    const { session, roleId } = await instance.member(workspace.id, permissionSet, 30)
    const { role } = (await create({ name: 'Climber', rank: 29 }, session)).body
    for (const rank of [30, 40]) {
      expect(await expectRejected(() => write('PATCH', { id: role.id, rank }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(await expectRejected(() => write('PATCH', { id: roleId, rank: 1 }, session))).toMatchObject({
      reason: 'insufficient_rank',
    })
  })

  test('a role at or above the own rank can be neither changed nor deleted', async () => {
    const { session } = await instance.member(workspace.id, permissions, 30)
    for (const rank of [30, 31]) {
      const id = await instance.role(workspace.id, [], rank)
      for (const step of [
        () => write('PATCH', { id, name: 'Mine' }, session),
        () => write('PATCH', { id, permissions: '' }, session),
        () => remove(id, session),
      ]) {
        expect(await expectRejected(step)).toMatchObject({ status: 403, reason: 'insufficient_rank' })
      }
    }
  })

  test('the owner role cannot be changed: insufficient rank for members, a conflict for the owner', async () => {
    const id = workspace.ownerRoleId
    const { session } = await instance.member(workspace.id, permissions, 999_999)
    const steps = (token: string) => [
      () => write('PATCH', { id, name: 'Mine' }, token),
      () => write('PATCH', { id, rank: 1 }, token),
      () => write('PATCH', { id, permissions: '' }, token),
      () => remove(id, token),
    ]
    for (const step of steps(session)) {
      expect(await expectRejected(step)).toMatchObject({ status: 403, reason: 'insufficient_rank' })
    }
    for (const step of steps(workspace.ownerSession)) {
      expect(await expectRejected(step)).toMatchObject({ status: 409, code: 'conflict' })
    }
  })
})

describe('limits', () => {
  test('a workspace has at most 200 roles, also with concurrent requests', async () => {
    const { id, ownerSession } = await instance.workspace()
    for (let created = 1; created < 195; created++) await instance.role(id, [])
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        instance.request('POST', path, {
          session: ownerSession,
          body: { workspaceId: id, name: `Racer ${index}`, rank: 1 },
        }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
    const rejectedResponse = responses.find(({ status }) => status !== 200)
    expect([rejectedResponse?.status, rejectedResponse?.body.error]).toEqual([
      409,
      expect.stringContaining('200 roles'),
    ])
  })
})

describe('access', () => {
  test('reading requires roles.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'roles.view',
    })
  })

  test('creating requires roles.manage', async () => {
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      who: 'session',
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, name: 'Replayed', rank: 5 },
      permission: 'roles.manage',
    })
  })

  test('changing and deleting require roles.manage', async () => {
    const id = await instance.role(workspace.id, [], 5)
    const request = { path, who: 'session', workspaceId: workspace.id, permission: 'roles.manage' } as const
    await expectAccessRules(instance, {
      ...request,
      method: 'PATCH',
      body: { workspaceId: workspace.id, id, rank: 4 },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'DELETE',
      query: { workspaceId: workspace.id, id },
    })
  })

  test("another workspace's role gets the same response as an unknown one", async () => {
    const other = await instance.workspace()
    const foreignRole = await instance.role(other.id, [])
    const outcomes = []
    for (const id of [foreignRole, UNKNOWN_ID]) {
      for (const step of [
        () => write('PATCH', { id, name: 'Mine' }),
        () => remove(id),
        () =>
          instance.request('GET', `${path}?workspaceId=${workspace.id}&id=${id}`, {
            session: workspace.ownerSession,
          }),
      ]) {
        const { requestId: _, ...rest } = await expectRejected(step)
        outcomes.push(JSON.stringify(rest))
      }
    }
    expect(new Set(outcomes).size).toBe(1)
    expect(outcomes[0]).toContain('not_found')
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
