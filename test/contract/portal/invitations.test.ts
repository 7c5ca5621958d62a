import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
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
// A new workspace for each test, so that lists contain only its own invitations.
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

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
  test('creates an invitation for 7 days with roles, highest first, and a note, and shows its token once', async () => {
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

  test('does not store the token', async () => {
    const { body } = await invite()
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(body.token)
  })

  test('generates a new token each time, with the requested validity', async () => {
    const now = instance.ports.now()
    const [short, long] = [await invite({ validSeconds: '3600' }), await invite({ validSeconds: 2_592_000 })]
    expect(short.body.invitation.expiresAt).toBe(time(now + HOUR))
    expect(long.body.invitation.expiresAt).toBe(time(now + 30 * 24 * HOUR))
    expect(short.body.token).not.toBe(long.body.token)
  })

  test('refuses invalid fields, a validity out of range and roles of another workspace, by name', async () => {
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

  test('refuses roles at or above the own rank, roles with a permission that the creator lacks, and the owner role', async () => {
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

  test('stops at a hundred pending invitations; expired ones do not count', async () => {
    for (let count = 0; count < 99; count++) await invite({ validSeconds: '3600' })
    const racingResponses = await Promise.all(
      Array.from({ length: 5 }, () => invite({ validSeconds: '3600' })),
    )
    expect(racingResponses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    instance.clock.advance(HOUR)
    expect((await invite()).status).toBe(200)
  })

  test('refuses an Idempotency-Key, because replaying would require storing the token', async () => {
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
  test('is sorted newest first, in pages without gaps or duplicates', async () => {
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

  test('contains pending invitations, none that was used, withdrawn or has expired', async () => {
    const [used, withdrawn, short, pending] = [
      await invite(),
      await invite(),
      await invite({ validSeconds: '3600' }),
      await invite(),
    ]
    const session = await instance.session(await instance.account())
    await instance.request('POST', '/portal/api/invitation/accept', {
      session,
      body: { token: used.body.token },
    })
    await withdrawInvitation(withdrawn.body.invitation.id)
    instance.clock.advance(HOUR)
    expect((await list()).invitations).toEqual([pending.body.invitation])
    expect((await withdrawInvitation(short.body.invitation.id)).status).toBe(404)
  })

  test('shows what each invitation grants now, and whether it can be accepted', async () => {
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
  test('disables the link from the next request, also in an archived workspace and over quota', async () => {
    const { body } = await invite()
    expect((await readToken(body.token)).status).toBe(200)
    await setArchived(instance, workspace.id, true)
    await quota(instance, workspace.id, 0)
    const response = await withdrawInvitation(body.invitation.id)
    expect([response.status, response.body.invitation.id]).toEqual([200, body.invitation.id])
    expect((await readToken(body.token)).status).toBe(404)
    expect((await withdrawInvitation(body.invitation.id)).status).toBe(404)
  })

  test('an invitation with roles at or above the own rank is refused, unless the actor created it', async () => {
    const { session } = await instance.member(workspace.id, permissions, 30)
    const highRole = await instance.role(workspace.id, [], 40)
    const lowRole = await instance.role(workspace.id, [], 20)
    const [highInvitation, lowInvitation] = [
      await invite({ roleIds: highRole }),
      await invite({ roleIds: lowRole }),
    ]
    expect(
      await expectRejected(() => withdrawInvitation(highInvitation.body.invitation.id, session)),
    ).toMatchObject({
      status: 403,
      reason: 'insufficient_rank',
    })
    expect((await withdrawInvitation(lowInvitation.body.invitation.id, session)).status).toBe(200)
    const own = await invite({ roleIds: lowRole }, session)
    const credentials = { session: workspace.ownerSession }
    await instance.request('PATCH', '/portal/api/roles', {
      ...credentials,
      body: { workspaceId: workspace.id, id: lowRole, rank: '50' },
    })
    expect((await withdrawInvitation(own.body.invitation.id, session)).status).toBe(200)
  })

  test('requires an id', async () => {
    const step = () =>
      instance.request('DELETE', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession })
    expect((await expectRejected(step)).details).toEqual([{ field: 'id', message: 'is required' }])
  })
})

test('creating and withdrawing are in the audit log, without the token', async () => {
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

test('cleanup deletes expired invitations only', async () => {
  const [short, long] = [await invite({ validSeconds: '3600' }), await invite()]
  instance.clock.advance(HOUR)
  await deleteExpiredInvitations(instance.db, instance.ports)
  const storedInvitations = JSON.stringify((await readStoredRows(instance)).invitation)
  expect(storedInvitations).not.toContain(short.body.invitation.id)
  expect(storedInvitations).toContain(long.body.invitation.id)
})

describe('access', () => {
  test('reading, inviting and withdrawing require members.manage', async () => {
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

  test("another workspace's invitation gets the same response as an unknown one", async () => {
    const other = workspace
    const foreignInvitationId = (await invite()).body.invitation.id
    workspace = await instance.workspace()
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

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
