import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { deleteExpiredInvitations } from '@reeve/members'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged, readStoredRows } from '../../support/stored-rows.ts'
import { quota, setArchived } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/invitations'
const HOUR = 3_600_000

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace of its own for each test, so that no list holds what another one made. */
const begin = async () => {
  workspace = await instance.workspace()
  return workspace
}
const invite = (body: object = {}, session = workspace.ownerSession): Promise<TestResponse> =>
  instance.request('POST', path, { session, body: { workspaceId: workspace.id, ...body } })
const list = async (query: Record<string, string> = {}, session = workspace.ownerSession) =>
  (
    await instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`, {
      session,
    })
  ).body
const withdrawInvitation = (id: string, session = workspace.ownerSession) =>
  instance.request('DELETE', `${path}?${new URLSearchParams({ workspaceId: workspace.id, id })}`, { session })
const readToken = (token: string) => instance.request('POST', '/portal/api/invitation', { body: { token } })
const time = (ms: number) => new Date(ms).toISOString()
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('inviting', () => {
  test('makes an invitation of 7 days with roles, highest first, and a note, and shows its token this once', async () => {
    await begin()
    const lowRole = await instance.role(workspace.id, ['departments.view'], 5)
    const highRole = await instance.role(workspace.id, ['events.view'], 70)
    const { status, body } = await invite({ roleIds: `${lowRole},${highRole}`, note: ' For Robin ' })
    expect(status).toBe(200)
    expect(body.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const now = instance.ports.now()
    expect(body.invitation).toMatchObject({
      note: 'For Robin',
      createdBy: workspace.ownerId,
      createdAt: time(now),
      expiresAt: time(now + 7 * 24 * HOUR),
      valid: 'true',
    })
    expect(body.invitation.roles.map(({ id }: { id: string }) => id)).toEqual([highRole, lowRole])
    expect((await list()).invitations).toEqual([body.invitation])
  })

  test('stores nothing that the link could be made of again', async () => {
    await begin()
    const { body } = await invite()
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(body.token)
  })

  test('gives another token each time, and holds as long as was asked', async () => {
    await begin()
    const now = instance.ports.now()
    const [short, long] = [await invite({ validSeconds: '3600' }), await invite({ validSeconds: 2_592_000 })]
    expect(short.body.invitation.expiresAt).toBe(time(now + HOUR))
    expect(long.body.invitation.expiresAt).toBe(time(now + 30 * 24 * HOUR))
    expect(short.body.token).not.toBe(long.body.token)
  })

  test('refuses what it cannot read by name, a time out of bounds and roles that are none of the workspace', async () => {
    await begin()
    const other = await instance.workspace()
    for (const [body, field] of [
      [{ validSeconds: '3599' }, 'validSeconds'],
      [{ validSeconds: '2592001' }, 'validSeconds'],
      [{ note: 'x'.repeat(201) }, 'note'],
      [{ roleIds: UNKNOWN_ID }, 'roleIds'],
      [{ roleIds: await instance.role(other.id, []) }, 'roleIds'],
      [{ roles: '' }, 'roles'],
    ] as const) {
      const { status, details } = await expectRejected(() => invite(body))
      expect([status, details[0].field]).toEqual([400, field])
    }
  })

  test('gives no role at or above the own rank, none with a permission one lacks, and never the owner role', async () => {
    await begin()
    const { session } = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const equalRole = await instance.role(workspace.id, [], 30)
    const privilegedRole = await instance.role(workspace.id, ['moderation.ban'], 5)
    for (const roleIds of [equalRole, workspace.ownerRoleId]) {
      expect(await expectRejected(() => invite({ roleIds }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(await expectRejected(() => invite({ roleIds: privilegedRole }, session))).toMatchObject({
      status: 403,
      permission: 'moderation.ban',
    })
    expect(await expectRejected(() => invite({ roleIds: workspace.ownerRoleId }))).toMatchObject({
      status: 409,
    })
    const allowedRole = await instance.role(workspace.id, ['departments.view'], 29)
    expect((await invite({ roleIds: allowedRole }, session)).status).toBe(200)
  })

  test('stops at a hundred that wait; those that have expired do not count', async () => {
    await begin()
    for (let count = 0; count < 99; count++) await invite({ validSeconds: '3600' })
    const racingResponses = await Promise.all(
      Array.from({ length: 5 }, () => invite({ validSeconds: '3600' })),
    )
    expect(racingResponses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    instance.clock.advance(HOUR)
    expect((await invite()).status).toBe(200)
  })

  test('refuses an Idempotency-Key: a second answer would need the token to be stored', async () => {
    await begin()
    const { status, details } = await expectRejected(() =>
      instance.request('POST', path, {
        session: workspace.ownerSession,
        body: { workspaceId: workspace.id },
        headers: { 'idempotency-key': 'once' },
      }),
    )
    expect([status, details[0].field]).toEqual([400, 'Idempotency-Key'])
  })
})

describe('the list', () => {
  test('is newest first, in pages that hold each once', async () => {
    await begin()
    const createdIds = []
    for (let count = 0; count < 5; count++) createdIds.unshift((await invite()).body.invitation.id)
    const seenIds = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(cursor ? { limit: '2', cursor } : { limit: '2' })
      seenIds.push(...page.invitations.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    }
    expect(seenIds).toEqual(createdIds)
  })

  test('holds what waits: none that was used, withdrawn or has expired', async () => {
    await begin()
    const [usedId, goneId, short, pendingIds] = [
      await invite(),
      await invite(),
      await invite({ validSeconds: '3600' }),
      await invite(),
    ]
    const session = await instance.session(await instance.account())
    await instance.request('POST', '/portal/api/invitation/accept', {
      session,
      body: { token: usedId.body.token },
    })
    await withdrawInvitation(goneId.body.invitation.id)
    instance.clock.advance(HOUR)
    expect((await list()).invitations).toEqual([pendingIds.body.invitation])
    expect((await withdrawInvitation(short.body.invitation.id)).status).toBe(404)
  })

  test('says of each what it would give now, and whether anyone can accept it', async () => {
    await begin()
    const inviter = await instance.member(workspace.id, permissions, 30)
    const [keptRoleId, raisedRoleId, deleted] = [
      await instance.role(workspace.id, [], 5),
      await instance.role(workspace.id, [], 6),
      await instance.role(workspace.id, [], 7),
    ]
    await invite({ roleIds: [keptRoleId, raisedRoleId, deleted].join() }, inviter.session)
    const credentials = { session: workspace.ownerSession }
    const roles = '/portal/api/roles'
    await instance.request('PATCH', roles, {
      ...credentials,
      body: { workspaceId: workspace.id, id: raisedRoleId, rank: '30' },
    })
    await instance.request('DELETE', `${roles}?workspaceId=${workspace.id}&id=${deleted}`, credentials)
    const [now] = (await list()).invitations
    expect([now.valid, now.roles.map(({ id }: { id: string }) => id)]).toEqual(['true', [keptRoleId]])
    await instance.request(
      'DELETE',
      `/portal/api/members?workspaceId=${workspace.id}&accountId=${inviter.accountId}`,
      credentials,
    )
    const [later] = (await list()).invitations
    expect([later.valid, later.roles]).toEqual(['false', []])
  })
})

describe('withdrawing', () => {
  test('ends the link from the next request on, also in an archived workspace and beyond the quota', async () => {
    await begin()
    const { body } = await invite()
    expect((await readToken(body.token)).status).toBe(200)
    await setArchived(instance, workspace.id, true)
    await quota(instance, workspace.id, 0)
    const response = await withdrawInvitation(body.invitation.id)
    expect([response.status, response.body.invitation.id]).toEqual([200, body.invitation.id])
    expect((await readToken(body.token)).status).toBe(404)
    expect((await withdrawInvitation(body.invitation.id)).status).toBe(404)
  })

  test('of one that gives roles at or above the own rank is refused, unless it is one’s own', async () => {
    await begin()
    const { session } = await instance.member(workspace.id, permissions, 30)
    const highRole = await instance.role(workspace.id, [], 40)
    const lowRole = await instance.role(workspace.id, [], 20)
    const [higherRoleId, lowerRoleId] = [
      await invite({ roleIds: highRole }),
      await invite({ roleIds: lowRole }),
    ]
    expect(
      await expectRejected(() => withdrawInvitation(higherRoleId.body.invitation.id, session)),
    ).toMatchObject({
      status: 403,
      reason: 'insufficient_rank',
    })
    expect((await withdrawInvitation(lowerRoleId.body.invitation.id, session)).status).toBe(200)
    const own = await invite({ roleIds: lowRole }, session)
    const credentials = { session: workspace.ownerSession }
    await instance.request('PATCH', '/portal/api/roles', {
      ...credentials,
      body: { workspaceId: workspace.id, id: lowRole, rank: '50' },
    })
    expect((await withdrawInvitation(own.body.invitation.id, session)).status).toBe(200)
  })

  test('needs an id', async () => {
    await begin()
    const step = () =>
      instance.request('DELETE', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession })
    expect((await expectRejected(step)).details).toEqual([{ field: 'id', message: 'is required' }])
  })
})

test('making and withdrawing are in the log, without the token', async () => {
  await begin()
  const { body } = await invite({ note: 'For Kim' })
  const { id } = body.invitation
  await withdrawInvitation(id)
  const { body: log } = await instance.request(
    'GET',
    `/portal/api/audit?workspaceId=${workspace.id}&targetId=${id}`,
    { session: workspace.ownerSession },
  )
  expect(log.entries.map(({ action }: { action: string }) => action)).toEqual([
    'invitations.withdraw',
    'invitations.create',
  ])
  expect(JSON.stringify(log.entries[1])).toContain('For Kim')
  expect(JSON.stringify(log)).not.toContain(body.token)
})

test('what has expired is deleted when the house is kept, and nothing else', async () => {
  await begin()
  const [short, long] = [await invite({ validSeconds: '3600' }), await invite()]
  instance.clock.advance(HOUR)
  await deleteExpiredInvitations(instance.db, instance.ports)
  const storedInvitations = JSON.stringify((await readStoredRows(instance)).invitation)
  expect(storedInvitations).not.toContain(short.body.invitation.id)
  expect(storedInvitations).toContain(long.body.invitation.id)
})

describe('who may', () => {
  test('reading, inviting and withdrawing need members.manage', async () => {
    await begin()
    const { id } = (await invite()).body.invitation
    const request = { path, who: 'session', workspaceId: workspace.id, permission: 'members.manage' } as const
    const query = { workspaceId: workspace.id }
    await expectAccessRules(instance, { ...request, method: 'GET', query })
    await expectAccessRules(instance, { ...request, method: 'POST', body: query })
    await expectAccessRules(instance, {
      ...request,
      method: 'DELETE',
      query: { ...query, id },
      whileArchived: true,
    })
  })

  test("another workspace's invitation is not found, exactly as one that never was", async () => {
    const other = await begin()
    const foreignInvitationId = (await invite()).body.invitation.id
    await begin()
    const outcomes = []
    for (const id of [foreignInvitationId, UNKNOWN_ID]) {
      const { requestId: _, ...rest } = await expectRejected(() => withdrawInvitation(id))
      outcomes.push(rest)
    }
    expect(outcomes[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(outcomes[0]).toEqual(outcomes[1])
    expect((await list()).invitations).toEqual([])
    workspace = other
    expect((await list()).invitations).toHaveLength(1)
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
