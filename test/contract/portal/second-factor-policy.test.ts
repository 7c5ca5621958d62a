import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { enrolAuthenticator, TOTP_STEP_MS } from '../../support/totp.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/second-factor-policy'

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const outcome = ({ status, body }: TestResponse) => [status, body.reason ?? body.code]
const send = (method: string, url: string, session: string, body?: object) =>
  instance.request(method, url, { session, ...(body && { body }) })
const setPolicy = (fields: object, session = workspace.ownerSession): Promise<TestResponse> =>
  send('PATCH', path, session, {
    workspaceId: workspace.id,
    permissions: '["moderation.ban"]',
    graceDays: '3',
    ...fields,
  })
const readPolicy = async (session = workspace.ownerSession, id = workspace.id) =>
  (await send('GET', `${path}?workspaceId=${id}`, session)).body
const readMembership = async (session: string, id = workspace.id) =>
  (await send('GET', '/portal/api/me', session)).body.workspaces.find(
    (membership: { id: string }) => membership.id === id,
  )
const useWorkspace = async (session: string, id = workspace.id) =>
  outcome(await send('GET', `/api/departments?workspaceId=${id}`, session))
const BLOCKED = [403, 'second_factor_required']
const OPEN = [200, undefined]
/** Gives the owner a factor and sets a policy. @returns signs the owner in again, with the factor */
const enforce = async (fields: object = {}) => {
  const app = await enrolAuthenticator(instance, workspace.ownerSession)
  expect((await setPolicy(fields)).status).toBe(200)
  return async (): Promise<string> => {
    const session = await instance.session(workspace.ownerId)
    const verified = await send('POST', '/portal/api/verification', session, { code: app.showCode() })
    expect(verified.status).toBe(200)
    instance.clock.advance(TOTP_STEP_MS)
    return session
  }
}
const moderator = () => instance.member(workspace.id, ['moderation.ban', 'departments.view'])
/** Signs in again after some days. */
const signInAfter = async (days: number, accountId: string): Promise<string> => {
  instance.clock.advance(days * DAY_MS)
  return instance.session(accountId)
}

describe('setting who needs a second factor', () => {
  test('is for the owner, who needs one first and is in the audit log', async () => {
    const { id, ownerSession } = workspace
    const manager = await instance.member(id, ['workspace.rename', 'roles.manage', 'members.manage'], 900)
    expect(outcome(await setPolicy({}, manager.session))).toEqual([403, 'insufficient_rank'])
    expect(outcome(await send('GET', `${path}?workspaceId=${id}`, manager.session))).toEqual([
      403,
      'insufficient_rank',
    ])
    const lockout = await setPolicy({})
    expect([lockout.status, lockout.body.error]).toEqual([
      409,
      'Add a second factor to your own account first, under Your account. Otherwise you would lock yourself out.',
    ])
    expect((await readPolicy()).policy).toEqual({ permissions: '[]', graceDays: '0' })
    await enforce()
    const policy = { permissions: '["moderation.ban"]', graceDays: '3' }
    expect((await readPolicy()).policy).toEqual(policy)
    await setPolicy({})
    const { entries } = (await send('GET', `/portal/api/audit?workspaceId=${id}`, ownerSession)).body
    const changes = entries.filter(
      (entry: { action: string }) => entry.action === 'workspaces.set_second_factor_policy',
    )
    expect(changes).toHaveLength(1)
    expect(changes[0].changes).toEqual({
      before: { permissions: '[]', graceDays: '0' },
      after: policy,
    })
  })

  test('rejects a grace period that is too long and unknown permissions', async () => {
    await enrolAuthenticator(instance, workspace.ownerSession)
    for (const [fields, field] of [
      [{ graceDays: '91' }, 'graceDays'],
      [{ graceDays: '-1' }, 'graceDays'],
      [{ permissions: '["moderation.smile"]' }, 'permissions'],
    ] as const) {
      const { status, body } = await setPolicy(fields)
      expect([status, body.details?.[0]?.field]).toEqual([400, field])
    }
  })
})

describe('a workspace that requires a second factor', () => {
  test('stays open within the grace period, and says until when', async () => {
    const { session, accountId } = await moderator()
    const other = await instance.member(workspace.id, ['departments.view'])
    const dueAt = new Date(instance.clock.now() + 30_000 + 3 * DAY_MS)
    await enforce()
    expect(await useWorkspace(session)).toEqual(OPEN)
    const membership = await readMembership(session)
    expect([membership.missingSecondFactor, new Date(membership.secondFactorDueAt)]).toEqual(['none', dueAt])
    expect((await readMembership(other.session)).secondFactorDueAt).toBe(null)
    const later = await signInAfter(3, accountId)
    expect(await useWorkspace(later)).toEqual(BLOCKED)
    expect(await useWorkspace(await instance.session(other.accountId))).toEqual(OPEN)
  })

  test('then lets in only sessions with a verified second factor; API keys as before', async () => {
    const { accountId } = await moderator()
    await enforce({ graceDays: '0' })
    const [first, second] = [await instance.session(accountId), await instance.session(accountId)]
    for (const url of ['/api/departments', '/portal/api/overview', '/portal/api/live'])
      expect(outcome(await send('GET', `${url}?workspaceId=${workspace.id}&timeZone=UTC`, first))).toEqual(
        BLOCKED,
      )
    expect((await readMembership(first)).missingSecondFactor).toBe('add')
    expect((await send('GET', '/portal/api/me', first)).body.missingSecondFactor).toBe('none')
    const app = await enrolAuthenticator(instance, first)
    expect([await useWorkspace(first), await useWorkspace(second)]).toEqual([OPEN, BLOCKED])
    expect((await readMembership(second)).missingSecondFactor).toBe('verify')
    await send('POST', '/portal/api/verification', second, { code: app.showCode() })
    expect(await useWorkspace(second)).toEqual(OPEN)
    // Without the factor, the same session does not count as verified any more.
    await send('DELETE', '/portal/api/factors/totp', first)
    expect([await useWorkspace(first), await useWorkspace(second)]).toEqual([BLOCKED, BLOCKED])
    const keys = { key: workspace.key }
    const read = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, keys)
    expect(read.status).toBe(200)
  })

  test('can be left and reported by a member whom it keeps out, who can do nothing else there', async () => {
    const permissions = ['moderation.ban', 'members.manage'] as const
    const { session, accountId } = await instance.member(workspace.id, permissions)
    const other = await moderator()
    await enforce({ graceDays: '0' })
    const membersUrl = (id: string, path = '') =>
      `/portal/api/members${path}?workspaceId=${workspace.id}&accountId=${id}`
    expect(outcome(await send('DELETE', membersUrl(other.accountId), session))).toEqual(BLOCKED)
    expect(outcome(await send('GET', membersUrl(other.accountId, '/keys'), session))).toEqual(BLOCKED)
    expect(outcome(await send('GET', membersUrl(accountId), session))).toEqual(BLOCKED)
    const report = { workspaceId: workspace.id, message: 'It asks for my phone.' }
    expect(outcome(await send('POST', '/portal/api/reports', session, report))).toEqual(OPEN)
    expect(outcome(await send('GET', membersUrl(accountId, '/keys'), session))).toEqual(OPEN)
    expect(outcome(await send('DELETE', membersUrl(accountId), session))).toEqual(OPEN)
    expect(await readMembership(session)).toBeUndefined()
    expect(await useWorkspace(session)).toEqual([403, 'not_a_member'])
  })

  test('does not open to requests that name no workspace', async () => {
    const permissions = ['endpoint_controls.view', 'moderation.ban'] as const
    const { session } = await instance.member(workspace.id, permissions)
    const listed = async () => (await send('GET', '/api/endpoint-controls', session)).body.controls.length
    expect(await listed()).toBeGreaterThan(0)
    await enforce({ graceDays: '0' })
    expect(await listed()).toBe(0)
    // The owner of another session, who could copy an archive with it.
    await send('POST', '/api/workspaces', workspace.ownerSession, { id: workspace.id, action: 'archive' })
    const list = await send('GET', `/api/workspaces?id=${workspace.id}&archives=true`, workspace.ownerSession)
    const other = await instance.session(workspace.ownerId)
    const copy = { fromArchive: list.body.archives[0].id }
    expect(outcome(await send('POST', '/api/workspaces', other, copy))).toEqual(BLOCKED)
  })

  test('ends live streams of members whose grace period is over', async () => {
    const { session } = await moderator()
    await enforce({ graceDays: '1' })
    const response = await instance.fetch(
      new Request(`http://localhost:3000/portal/api/live?workspaceId=${workspace.id}`, {
        headers: { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin' },
      }),
    )
    expect(response.status).toBe(200)
    instance.clock.advance(DAY_MS)
    const key = { key: workspace.key, body: { workspaceId: workspace.id, name: 'Night' } }
    await instance.request('POST', '/api/departments', key)
    // The stream ends: the text is complete.
    expect(await response.text()).not.toContain('departments')
  })
})

describe('the grace period', () => {
  test('begins when a member gets such a role, and does not begin again with another one', async () => {
    const { accountId } = await instance.member(workspace.id, ['departments.view'])
    const roleIds = [
      await instance.role(workspace.id, ['moderation.ban']),
      await instance.role(workspace.id, ['moderation.ban', 'departments.view']),
    ]
    const signInOwner = await enforce()
    const setRoles = async (ids: readonly string[]) =>
      send('PATCH', '/portal/api/members', await signInOwner(), {
        workspaceId: workspace.id,
        accountId,
        roleIds: ids.join(),
      })
    instance.clock.advance(5 * DAY_MS)
    await setRoles([roleIds[0] ?? ''])
    instance.clock.advance(2 * DAY_MS)
    expect((await setRoles(roleIds)).status).toBe(200)
    expect(await useWorkspace(await instance.session(accountId))).toEqual(OPEN)
    expect(await useWorkspace(await signInAfter(1, accountId))).toEqual(BLOCKED)
  })

  test('begins when a role gets such a permission, and does not begin again with a change of the role or the policy', async () => {
    const { accountId, roleId } = await instance.member(workspace.id, ['departments.view'])
    const signInOwner = await enforce()
    const changeRole = async (permissions: readonly string[]) => {
      const body = { workspaceId: workspace.id, id: roleId, permissions: JSON.stringify(permissions) }
      expect((await send('PATCH', '/portal/api/roles', await signInOwner(), body)).status).toBe(200)
    }
    instance.clock.advance(5 * DAY_MS)
    await changeRole(['departments.view', 'moderation.ban'])
    expect(await useWorkspace(await signInAfter(2, accountId))).toEqual(OPEN)
    await changeRole(['departments.view', 'moderation.ban', 'events.view'])
    await setPolicy({ permissions: '["moderation.ban","moderation.mute"]' }, await signInOwner())
    expect(await useWorkspace(await signInAfter(1, accountId))).toEqual(BLOCKED)
    await changeRole(['departments.view'])
    expect(await useWorkspace(await instance.session(accountId))).toEqual(OPEN)
  })

  test('begins again in a copy, which has the policy of its archive, and after a roll-back, which keeps the current one', async () => {
    const { id } = workspace
    const { accountId } = await moderator()
    const signInOwner = await enforce({ graceDays: '2' })
    let owner = workspace.ownerSession
    const change = async (body: object) => (await send('POST', '/api/workspaces', owner, body)).body
    const { archive } = await change({ id, action: 'archive' })
    await change({ id, action: 'restore' })
    await setPolicy({ graceDays: '1' })
    instance.clock.advance(2 * DAY_MS)
    owner = await signInOwner()
    const now = instance.clock.now()
    const copy = (await change({ fromArchive: archive.id })).workspace
    expect((await readPolicy(owner, copy.id)).policy.graceDays).toBe('2')
    const session = await instance.session(accountId)
    const dueAt = async (workspaceId: string) =>
      new Date((await readMembership(session, workspaceId)).secondFactorDueAt).getTime()
    expect([await dueAt(copy.id), await useWorkspace(session, copy.id)]).toEqual([now + 2 * DAY_MS, OPEN])
    expect(await useWorkspace(session)).toEqual(BLOCKED)
    await change({ id, action: 'archive' })
    await change({ id, fromArchive: archive.id })
    expect((await readPolicy(owner)).policy.graceDays).toBe('1')
    expect([await dueAt(id), await useWorkspace(session)]).toEqual([now + DAY_MS, OPEN])
  })
})

describe('members without a second factor', () => {
  test('are counted, marked and listed for the owner only', async () => {
    const { id, ownerSession, ownerId } = workspace
    const [first, second] = [await moderator(), await moderator()]
    const manager = await instance.member(id, ['members.view'])
    await enforce()
    await enrolAuthenticator(instance, second.session)
    expect((await readPolicy()).membersWithoutSecondFactor).toBe('1')
    const list = async (session: string, query = '') =>
      (await send('GET', `/portal/api/members?workspaceId=${id}${query}`, session)).body.members
    const marks = (members: readonly { accountId: string; hasSecondFactor: string | null }[]) =>
      Object.fromEntries(members.map((member) => [member.accountId, member.hasSecondFactor]))
    expect(marks(await list(ownerSession))).toEqual({
      [ownerId]: 'true',
      [first.accountId]: 'false',
      [second.accountId]: 'true',
      [manager.accountId]: 'false',
    })
    expect(Object.keys(marks(await list(ownerSession, '&secondFactor=missing'))).sort()).toEqual(
      [first.accountId, manager.accountId].sort(),
    )
    expect(new Set(Object.values(marks(await list(manager.session))))).toEqual(new Set([null]))
    const filtered = `/portal/api/members?workspaceId=${id}&secondFactor=missing`
    expect(outcome(await send('GET', filtered, manager.session))).toEqual([403, 'insufficient_rank'])
  })
})
