import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/members'
const NEVER_WAS = '0198c0de-dead-7000-8000-00000000dead'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const at = (query: Record<string, string> = {}, id = workspace.id) =>
  `${path}?${new URLSearchParams({ workspaceId: id, ...query })}`
const read = (query: Record<string, string> = {}, session = workspace.ownerSession) =>
  instance.call('GET', at(query), { session })
const write = (method: string, body: object, session = workspace.ownerSession) =>
  instance.call(method, path, { session, body: { workspaceId: workspace.id, ...body } })
const remove = (accountId: string, session = workspace.ownerSession) =>
  instance.call('DELETE', at({ accountId }), { session })
/** Whether an account gets in: the gate asks for membership before all else. */
const reasonFor = async (session: string) =>
  (await instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, { session })).body.reason ??
  'let in'

/** Shows that a call was refused and nothing was changed. */
async function refused(step: () => ReturnType<typeof write>) {
  const before = await stored(instance)
  const { status, body } = await step()
  expect(await stored(instance)).toEqual(before)
  return { status, ...body }
}

describe('adding', () => {
  test('an existing account becomes a member, by its username ignoring case, with roles', async () => {
    const accountId = await instance.account('Zoë')
    const session = await instance.session(accountId)
    const low = await instance.role(workspace.id, ['departments.view'], 5)
    const high = await instance.role(workspace.id, ['events.view'], 70)
    expect(await reasonFor(session)).toBe('not_a_member')
    const { status, body } = await write('POST', { username: 'ZOË', roleIds: `${low}, ${high},${low}` })
    expect(status).toBe(200)
    expect(body.member).toEqual({
      accountId,
      username: 'Zoë',
      roles: [
        { id: high, name: expect.any(String), color: null, rank: '70' },
        { id: low, name: expect.any(String), color: null, rank: '5' },
      ],
      rank: '70',
      joinedAt: new Date(instance.ports.now()).toISOString(),
      isOwner: 'false',
    })
    expect(await reasonFor(session)).toBe('let in')
  })

  test('without roles is a member who may do nothing yet', async () => {
    const session = await instance.session(await instance.account('Bare'))
    const { body } = await write('POST', { username: 'Bare' })
    expect([body.member.roles, body.member.rank]).toEqual([[], '0'])
    expect(await reasonFor(session)).toBe('missing_permission')
  })

  test('a member again is a conflict, also when two race', async () => {
    await instance.account('Twice')
    const answers = await Promise.all(Array.from({ length: 5 }, () => write('POST', { username: 'twice' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('Twice is a member already.')
  })

  test('an unknown username is not found, and the answer says so', async () => {
    expect(await refused(() => write('POST', { username: 'nobody here' }))).toMatchObject({
      status: 404,
      code: 'not_found',
      error: 'There is no account named nobody here on this instance.',
    })
  })

  test('whoever may not add members learns nothing about usernames', async () => {
    await instance.account('Secret')
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'members.manage'),
    )
    const answers = []
    for (const username of ['Secret', 'no such account']) {
      const { requestId: _, ...rest } = await refused(() => write('POST', { username }, session))
      answers.push(rest)
    }
    expect(answers[0]).toMatchObject({ status: 403, permission: 'members.manage' })
    expect(answers[0]).toEqual(answers[1])
  })
})

describe('roles of a member', () => {
  test('are replaced, and hold from the next request on', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const other = await instance.role(workspace.id, ['events.view'], 20)
    const { accountId } = member
    const { body } = await write('PATCH', { accountId, roleIds: other })
    expect(body.member.roles.map(({ id }: { id: string }) => id)).toEqual([other])
    expect(await reasonFor(member.session)).toBe('missing_permission')
    await write('PATCH', { accountId, roleIds: `${other},${member.roleId}` })
    expect(await reasonFor(member.session)).toBe('let in')
    expect((await write('PATCH', { accountId, roleIds: '' })).body.member).toMatchObject({
      roles: [],
      rank: '0',
    })
  })

  const may: Permission[] = ['members.manage', 'members.view', 'departments.view']

  test('are given below the rank of whoever gives them, and with no permission the giver lacks', async () => {
    const { session } = await instance.member(workspace.id, may, 30)
    const { accountId } = await instance.member(workspace.id, [], 5)
    await instance.account('Newcomer')
    const give = [
      (roleIds: string) => write('PATCH', { accountId, roleIds }, session),
      (roleIds: string) => write('POST', { username: 'Newcomer', roleIds }, session),
    ]
    const same = await instance.role(workspace.id, [], 30)
    const rich = await instance.role(workspace.id, ['departments.view', 'moderation.ban'], 10)
    for (const step of give) {
      for (const roleIds of [same, workspace.ownerRoleId]) {
        expect(await refused(() => step(roleIds))).toMatchObject({ status: 403, reason: 'insufficient_rank' })
      }
      expect(await refused(() => step(rich))).toMatchObject({
        status: 403,
        reason: 'missing_permission',
        permission: 'moderation.ban',
      })
      const fine = await instance.role(workspace.id, ['departments.view'], 29)
      expect((await step(fine)).status).toBe(200)
    }
  })

  test('that a member has already may stay, and be taken, by one who could not give them', async () => {
    const { session } = await instance.member(workspace.id, may, 30)
    const { accountId, roleId } = await instance.member(workspace.id, ['moderation.ban'], 10)
    const fine = await instance.role(workspace.id, [], 3)
    expect((await write('PATCH', { accountId, roleIds: `${roleId},${fine}` }, session)).status).toBe(200)
    expect((await write('PATCH', { accountId, roleIds: fine }, session)).status).toBe(200)
    expect(await refused(() => write('PATCH', { accountId, roleIds: roleId }, session))).toMatchObject({
      permission: 'moderation.ban',
    })
  })

  test('of an equal, of oneself, or of one above are out of reach', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equal = await instance.member(workspace.id, [], 30)
    const above = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [self, equal, above, { accountId: workspace.ownerId }]) {
      expect(await refused(() => write('PATCH', { accountId, roleIds: '' }, self.session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('the owner role is assigned to nobody, and the owner keeps it', async () => {
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const body of [
      { accountId, roleIds: workspace.ownerRoleId },
      { accountId: workspace.ownerId, roleIds: '' },
    ]) {
      expect(await refused(() => write('PATCH', body))).toMatchObject({ status: 409, code: 'conflict' })
    }
  })

  test('that are no roles of this workspace are refused by name', async () => {
    const other = await instance.workspace()
    const foreign = await instance.role(other.id, [])
    const { accountId } = await instance.member(workspace.id, [], 5)
    for (const id of [foreign, NEVER_WAS, 'x']) {
      expect(await refused(() => write('PATCH', { accountId, roleIds: id }))).toMatchObject({
        status: 400,
        details: [{ field: 'roleIds', message: `names no role of this workspace: ${id}` }],
      })
    }
  })
})

describe('removing', () => {
  test('ends the membership from the next request on; the account may be added again without its roles', async () => {
    const member = await instance.member(workspace.id, ['departments.view'])
    const { username } = (await read({ accountId: member.accountId })).body.member
    const { status, body } = await remove(member.accountId)
    expect([status, body.member.accountId]).toEqual([200, member.accountId])
    expect(await reasonFor(member.session)).toBe('not_a_member')
    expect((await read({ accountId: member.accountId })).status).toBe(404)
    expect((await write('POST', { username })).body.member.roles).toEqual([])
  })

  test('an equal, one above or the owner is refused', async () => {
    const self = await instance.member(workspace.id, permissions, 30)
    const equal = await instance.member(workspace.id, [], 30)
    const above = await instance.member(workspace.id, [], 31)
    for (const { accountId } of [equal, above, { accountId: workspace.ownerId }]) {
      expect(await refused(() => remove(accountId, self.session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('whoever wants to leave may, without any permission, also an archived workspace', async () => {
    const member = await instance.member(workspace.id, [])
    expect((await remove(member.accountId, member.session)).status).toBe(200)
    expect(await reasonFor(member.session)).toBe('not_a_member')
    const sealed = await instance.workspace()
    const leaver = await instance.member(sealed.id, [])
    await instance.call('POST', '/api/workspaces', {
      key: sealed.key,
      body: { id: sealed.id, archive: 'true' },
    })
    const left = await instance.call('DELETE', at({ accountId: leaver.accountId }, sealed.id), {
      session: leaver.session,
    })
    expect(left.status).toBe(200)
  })

  test('the owner cannot leave: a workspace is never without one', async () => {
    expect(await refused(() => remove(workspace.ownerId))).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('who left is in the log as having left, who was removed as removed', async () => {
    const { id, ownerSession } = await instance.workspace()
    const [leaver, removed] = [await instance.member(id, []), await instance.member(id, [])]
    await instance.call('DELETE', at({ accountId: leaver.accountId }, id), { session: leaver.session })
    await instance.call('DELETE', at({ accountId: removed.accountId }, id), { session: ownerSession })
    const { body } = await instance.call('GET', `/portal/api/audit?workspaceId=${id}&limit=2`, {
      session: ownerSession,
    })
    expect(
      body.entries.map(({ action, targetId }: { action: string; targetId: string }) => [action, targetId]),
    ).toEqual([
      ['members.remove', removed.accountId],
      ['members.leave', leaver.accountId],
    ])
  })
})

describe('the list', () => {
  test('is by username, in pages that hold every member once', async () => {
    const { id, ownerSession, ownerId } = await instance.workspace()
    const added = []
    for (let index = 0; index < 7; index++) added.push((await instance.member(id, [])).accountId)
    const seen: { accountId: string; username: string; isOwner: string }[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: Record<string, string> = cursor ? { limit: '3', cursor } : { limit: '3' }
      const { body } = await instance.call('GET', at(query, id), { session: ownerSession })
      expect(body.members.length).toBeLessThanOrEqual(3)
      seen.push(...body.members)
      cursor = body.nextCursor
    }
    expect(seen.map(({ accountId }) => accountId).sort()).toEqual([...added, ownerId].sort())
    const names = seen.map(({ username }) => username)
    expect(names).toEqual([...names].sort())
    expect(seen.filter(({ isOwner }) => isOwner === 'true').map(({ accountId }) => accountId)).toEqual([
      ownerId,
    ])
  })

  test('shows with roleId only those who hold the role, each with all its roles', async () => {
    const one = await instance.member(workspace.id, [])
    await instance.member(workspace.id, [])
    const second = await instance.role(workspace.id, [], 3)
    await write('PATCH', { accountId: one.accountId, roleIds: `${one.roleId},${second}` })
    const { body } = await read({ roleId: second })
    expect(body.members).toHaveLength(1)
    expect(body.members[0].accountId).toBe(one.accountId)
    expect(body.members[0].roles).toHaveLength(2)
  })

  test('shows with q only those whose username holds it, ignoring case, with their roles and in pages', async () => {
    const { id, ownerSession } = await instance.workspace()
    for (const name of ['Sought one', 'sOUGHT two', 'Somebody else']) {
      await instance.account(name)
      await instance.call('POST', path, { session: ownerSession, body: { workspaceId: id, username: name } })
    }
    const names = async (query: Record<string, string>) =>
      (await instance.call('GET', at(query, id), { session: ownerSession })).body.members.map(
        ({ username }: { username: string }) => username,
      )
    expect(await names({ q: 'SOUGHT' })).toEqual(['Sought one', 'sOUGHT two'])
    expect(await names({ q: 'sought', limit: '1' })).toEqual(['Sought one'])
    expect(await names({ q: '%' })).toEqual([])
    const roleId = await instance.role(id, [])
    expect(await names({ q: 'sought', roleId })).toEqual([])
  })

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['audit', 1])).toString('base64url')
    const { status, body } = await read({ cursor })
    expect([status, body.details[0].field]).toEqual([400, 'cursor'])
  })
})

describe('fields', () => {
  test('those that are needed are named, all of them', async () => {
    expect((await refused(() => write('POST', {}))).details).toEqual([
      { field: 'username', message: 'is required' },
    ])
    expect((await refused(() => write('PATCH', {}))).details).toEqual([
      { field: 'accountId', message: 'is required' },
      { field: 'roleIds', message: 'is required' },
    ])
    const { details } = await refused(() =>
      instance.call('DELETE', at(), { session: workspace.ownerSession }),
    )
    expect(details).toEqual([{ field: 'accountId', message: 'is required' }])
  })

  test('a list that is no text is refused by name', async () => {
    for (const roleIds of [['a'], null, {}]) {
      const { status, details } = await refused(() => write('PATCH', { accountId: 'a', roleIds }))
      expect([status, details[0].field]).toEqual([400, 'roleIds'])
    }
  })
})

describe('who may', () => {
  test('reading needs members.view', async () => {
    await replay(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'members.view',
    })
  })

  test('adding, assigning and removing need members.manage', async () => {
    await instance.account('Replayed')
    const { accountId } = await instance.member(workspace.id, [], 1)
    const request = { path, who: 'session', workspaceId: workspace.id, permission: 'members.manage' } as const
    await replay(instance, {
      ...request,
      method: 'POST',
      body: { workspaceId: workspace.id, username: 'Replayed' },
    })
    await replay(instance, {
      ...request,
      method: 'PATCH',
      body: { workspaceId: workspace.id, accountId, roleIds: '' },
    })
    await replay(instance, {
      ...request,
      method: 'DELETE',
      query: { workspaceId: workspace.id, accountId },
      whileArchived: true,
    })
  })

  test("another workspace's member is not found, exactly as one that never was", async () => {
    const other = await instance.workspace()
    const foreign = await instance.member(other.id, [])
    const outcomes = []
    for (const accountId of [foreign.accountId, NEVER_WAS]) {
      for (const step of [
        () => write('PATCH', { accountId, roleIds: '' }),
        () => remove(accountId),
        () => read({ accountId }),
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
