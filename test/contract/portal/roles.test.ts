import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/roles'
const NEVER_WAS = '0198c0de-dead-7000-8000-00000000dead'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const write = (method: string, body: object, session = workspace.ownerSession, headers = {}) =>
  instance.call(method, path, { session, body: { workspaceId: workspace.id, ...body }, headers })
const create = (body: object, session?: string) => write('POST', body, session)
const remove = (id: string, session = workspace.ownerSession, headers = {}) =>
  instance.call('DELETE', `${path}?workspaceId=${workspace.id}&id=${id}`, { session, headers })
const list = async () =>
  (await instance.call('GET', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession }))
    .body.roles

/** Shows that a call was refused and nothing was changed. */
async function refused(step: () => ReturnType<typeof write>) {
  const before = await stored(instance)
  const { status, body } = await step()
  expect(await stored(instance)).toEqual(before)
  return { status, ...body }
}

describe('a role', () => {
  test('is made, read, changed and deleted', async () => {
    const made = await create({ name: ' Moderator ', rank: 50, color: '#ABC', permissions: 'moderation.ban' })
    expect(made.status).toBe(200)
    const { role } = made.body
    expect(role).toMatchObject({
      name: 'Moderator',
      rank: '50',
      color: '#aabbcc',
      permissions: '["moderation.ban"]',
      isOwner: 'false',
      version: '1',
    })
    const read = await instance.call('GET', `${path}?workspaceId=${workspace.id}&id=${role.id}`, {
      session: workspace.ownerSession,
    })
    expect(read.body).toEqual({ role })
    const changed = await write('PATCH', { id: role.id, rank: '60', color: null })
    expect(changed.body.role).toEqual({ ...role, rank: '60', color: null, version: '2' })
    expect((await remove(role.id)).body.role).toEqual(changed.body.role)
    expect((await list()).map(({ id }: { id: string }) => id)).not.toContain(role.id)
    expect((await remove(role.id)).status).toBe(404)
  })

  test('without permissions or colour has none', async () => {
    const { role } = (await create({ name: 'Bare', rank: 1 })).body
    expect([role.permissions, role.color]).toEqual(['[]', null])
  })

  test('that is deleted is taken from all who held it, at once, and its name is free again', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const departments = () =>
      instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, { session: member.session })
    expect((await departments()).status).toBe(200)
    const { name } = (await remove(member.roleId)).body.role
    expect((await departments()).body.reason).toBe('missing_permission')
    expect((await create({ name, rank: 5 })).status).toBe(200)
    const { body } = await instance.call(
      'GET',
      `/portal/api/audit?workspaceId=${workspace.id}&targetId=${member.roleId}`,
      { session: workspace.ownerSession },
    )
    expect(body.entries[0]).toMatchObject({
      action: 'roles.delete',
      changes: { before: { name, heldBy: [member.accountId] }, after: null },
    })
  })

  test('with a stale If-Match stays as it is', async () => {
    const { role } = (await create({ name: 'Matched', rank: 5 })).body
    await write('PATCH', { id: role.id, rank: 6 })
    const stale = { 'if-match': '"1"' }
    for (const step of [
      () => write('PATCH', { id: role.id, rank: 7 }, undefined, stale),
      () => remove(role.id, undefined, stale),
    ]) {
      expect(await refused(step)).toMatchObject({ status: 412, code: 'version_mismatch' })
    }
  })
})

describe('names', () => {
  test('are unique ignoring case and width, also when they race', async () => {
    const answers = await Promise.all(
      ['Straße', 'STRAßE', 'straße', 'ｓｔｒａße'].map((name) => create({ name, rank: 5 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const other = (await create({ name: 'Another', rank: 5 })).body.role
    expect(await refused(() => write('PATCH', { id: other.id, name: 'sTRAßE' }))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect((await write('PATCH', { id: other.id, name: 'ANOTHER' })).body.role.name).toBe('ANOTHER')
  })

  test('are free in another workspace', async () => {
    const other = await instance.workspace()
    const body = { workspaceId: other.id, name: 'Straße', rank: 5 }
    expect((await instance.call('POST', path, { session: other.ownerSession, body })).status).toBe(200)
  })
})

describe('fields', () => {
  test('name and rank are needed, both named at once', async () => {
    expect((await refused(() => create({}))).details).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'rank', message: 'is required' },
    ])
    expect((await refused(() => write('PATCH', { name: 'A' }))).details[0].field).toBe('id')
  })

  const bad: [string, object][] = [
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
    ['id', { id: NEVER_WAS }],
  ]
  for (const [field, more] of bad) {
    test(`${JSON.stringify(more).slice(0, 40)} is refused by name`, async () => {
      const { status, details } = await refused(() => create({ name: 'Fine', rank: 5, ...more }))
      expect([status, details.map((one: { field: string }) => one.field)]).toEqual([400, [field]])
    })
  }
})

describe('rank and permissions', () => {
  const may: Permission[] = ['roles.manage', 'roles.view', 'moderation.view']

  test('a role is made below its maker, with no more than its maker holds', async () => {
    const { session } = await instance.member(workspace.id, may, 30)
    for (const rank of [30, 31, 999_999]) {
      expect(await refused(() => create({ name: 'High', rank }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(
      await refused(() => create({ name: 'Rich', rank: 29, permissions: 'moderation.ban' }, session)),
    ).toMatchObject({ status: 403, reason: 'missing_permission', permission: 'moderation.ban' })
    expect(
      (await create({ name: 'Just so', rank: 29, permissions: 'moderation.view' }, session)).status,
    ).toBe(200)
  })

  test('a role is not raised to the rank of whoever raises it', async () => {
    const { session, roleId } = await instance.member(workspace.id, may, 30)
    const { role } = (await create({ name: 'Climber', rank: 29 }, session)).body
    for (const rank of [30, 40]) {
      expect(await refused(() => write('PATCH', { id: role.id, rank }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(await refused(() => write('PATCH', { id: roleId, rank: 1 }, session))).toMatchObject({
      reason: 'insufficient_rank',
    })
  })

  test('a role at or above is neither changed nor deleted', async () => {
    const { session } = await instance.member(workspace.id, permissions, 30)
    for (const rank of [30, 31]) {
      const id = await instance.role(workspace.id, [], rank)
      for (const step of [
        () => write('PATCH', { id, name: 'Mine' }, session),
        () => write('PATCH', { id, permissions: '' }, session),
        () => remove(id, session),
      ]) {
        expect(await refused(step)).toMatchObject({ status: 403, reason: 'insufficient_rank' })
      }
    }
  })

  test('the owner role is untouchable: below the owner by rank, for the owner a conflict', async () => {
    const id = workspace.ownerRoleId
    const { session } = await instance.member(workspace.id, permissions, 999_999)
    const steps = (as: string) => [
      () => write('PATCH', { id, name: 'Mine' }, as),
      () => write('PATCH', { id, rank: 1 }, as),
      () => write('PATCH', { id, permissions: '' }, as),
      () => remove(id, as),
    ]
    for (const step of steps(session)) {
      expect(await refused(step)).toMatchObject({ status: 403, reason: 'insufficient_rank' })
    }
    for (const step of steps(workspace.ownerSession)) {
      expect(await refused(step)).toMatchObject({ status: 409, code: 'conflict' })
    }
  })
})

describe('how many', () => {
  test('a workspace has at most 200 roles, exactly, whatever races', async () => {
    const { id, ownerSession } = await instance.workspace()
    for (let made = 1; made < 195; made++) await instance.role(id, [])
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        instance.call('POST', path, {
          session: ownerSession,
          body: { workspaceId: id, name: `Racer ${index}`, rank: 1 },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const late = answers.find(({ status }) => status !== 200)
    expect([late?.status, late?.body.error]).toEqual([409, expect.stringContaining('200 roles')])
  })
})

describe('who may', () => {
  test('reading needs roles.view', async () => {
    await replay(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'roles.view',
    })
  })

  test('making needs roles.manage', async () => {
    await replay(instance, {
      method: 'POST',
      path,
      who: 'session',
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, name: 'Replayed', rank: 5 },
      permission: 'roles.manage',
    })
  })

  test('changing and deleting need roles.manage', async () => {
    const id = await instance.role(workspace.id, [], 5)
    const request = { path, who: 'session', workspaceId: workspace.id, permission: 'roles.manage' } as const
    await replay(instance, { ...request, method: 'PATCH', body: { workspaceId: workspace.id, id, rank: 4 } })
    await replay(instance, { ...request, method: 'DELETE', query: { workspaceId: workspace.id, id } })
  })

  test("another workspace's role is not found, exactly as one that never was", async () => {
    const other = await instance.workspace()
    const foreign = await instance.role(other.id, [])
    const outcomes = []
    for (const id of [foreign, NEVER_WAS]) {
      for (const step of [
        () => write('PATCH', { id, name: 'Mine' }),
        () => remove(id),
        () =>
          instance.call('GET', `${path}?workspaceId=${workspace.id}&id=${id}`, {
            session: workspace.ownerSession,
          }),
      ]) {
        const { requestId: _, ...rest } = await refused(step)
        outcomes.push(JSON.stringify(rest))
      }
    }
    expect(new Set(outcomes).size).toBe(1)
    expect(outcomes[0]).toContain('not_found')
  })

  test('nothing that was refused was our own failure', () => {
    expect(instance.failures).toEqual([])
  })
})
