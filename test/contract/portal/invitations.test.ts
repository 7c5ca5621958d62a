import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { deleteExpiredInvitations } from '@reeve/members'
import { type Answer, type Instance, NEVER_WAS, openInstance } from '../../support/instance.ts'
import { refusedIn } from '../../support/refused.ts'
import { replay } from '../../support/replay.ts'
import { archived, quota } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'

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
const invite = (body: object = {}, session = workspace.ownerSession): Promise<Answer> =>
  instance.call('POST', path, { session, body: { workspaceId: workspace.id, ...body } })
const list = async (query: Record<string, string> = {}, session = workspace.ownerSession) =>
  (
    await instance.call('GET', `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`, {
      session,
    })
  ).body
const withdraw = (id: string, session = workspace.ownerSession) =>
  instance.call('DELETE', `${path}?${new URLSearchParams({ workspaceId: workspace.id, id })}`, { session })
const readToken = (token: string) => instance.call('POST', '/portal/api/invitation', { body: { token } })
const time = (ms: number) => new Date(ms).toISOString()
const refused = (step: () => Promise<Answer>) => refusedIn(instance, step)

describe('inviting', () => {
  test('makes an invitation of 7 days with roles, highest first, and a note, and shows its token this once', async () => {
    await begin()
    const low = await instance.role(workspace.id, ['departments.view'], 5)
    const high = await instance.role(workspace.id, ['events.view'], 70)
    const { status, body } = await invite({ roleIds: `${low},${high}`, note: ' For Robin ' })
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
    expect(body.invitation.roles.map(({ id }: { id: string }) => id)).toEqual([high, low])
    expect((await list()).invitations).toEqual([body.invitation])
  })

  test('stores nothing that the link could be made of again', async () => {
    await begin()
    const { body } = await invite()
    expect(JSON.stringify(await stored(instance))).not.toContain(body.token)
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
      [{ roleIds: NEVER_WAS }, 'roleIds'],
      [{ roleIds: await instance.role(other.id, []) }, 'roleIds'],
      [{ roles: '' }, 'roles'],
    ] as const) {
      const { status, details } = await refused(() => invite(body))
      expect([status, details[0].field]).toEqual([400, field])
    }
  })

  test('gives no role at or above the own rank, none with a permission one lacks, and never the owner role', async () => {
    await begin()
    const { session } = await instance.member(workspace.id, ['members.manage', 'departments.view'], 30)
    const equal = await instance.role(workspace.id, [], 30)
    const rich = await instance.role(workspace.id, ['moderation.ban'], 5)
    for (const roleIds of [equal, workspace.ownerRoleId]) {
      expect(await refused(() => invite({ roleIds }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
    expect(await refused(() => invite({ roleIds: rich }, session))).toMatchObject({
      status: 403,
      permission: 'moderation.ban',
    })
    expect(await refused(() => invite({ roleIds: workspace.ownerRoleId }))).toMatchObject({ status: 409 })
    const fine = await instance.role(workspace.id, ['departments.view'], 29)
    expect((await invite({ roleIds: fine }, session)).status).toBe(200)
  })

  test('stops at a hundred that wait; those that have expired do not count', async () => {
    await begin()
    for (let count = 0; count < 99; count++) await invite({ validSeconds: '3600' })
    const racing = await Promise.all(Array.from({ length: 5 }, () => invite({ validSeconds: '3600' })))
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    instance.clock.advance(HOUR)
    expect((await invite()).status).toBe(200)
  })

  test('refuses an Idempotency-Key: a second answer would need the token to be stored', async () => {
    await begin()
    const { status, details } = await refused(() =>
      instance.call('POST', path, {
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
    const made = []
    for (let count = 0; count < 5; count++) made.unshift((await invite()).body.invitation.id)
    const seen = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(cursor ? { limit: '2', cursor } : { limit: '2' })
      seen.push(...page.invitations.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(made)
  })

  test('holds what waits: none that was used, withdrawn or has expired', async () => {
    await begin()
    const [used, gone, short, waiting] = [
      await invite(),
      await invite(),
      await invite({ validSeconds: '3600' }),
      await invite(),
    ]
    const session = await instance.session(await instance.account())
    await instance.call('POST', '/portal/api/invitation/accept', {
      session,
      body: { token: used.body.token },
    })
    await withdraw(gone.body.invitation.id)
    instance.clock.advance(HOUR)
    expect((await list()).invitations).toEqual([waiting.body.invitation])
    expect((await withdraw(short.body.invitation.id)).status).toBe(404)
  })

  test('says of each what it would give now, and whether anyone can accept it', async () => {
    await begin()
    const maker = await instance.member(workspace.id, permissions, 30)
    const [stays, raised, deleted] = [
      await instance.role(workspace.id, [], 5),
      await instance.role(workspace.id, [], 6),
      await instance.role(workspace.id, [], 7),
    ]
    await invite({ roleIds: [stays, raised, deleted].join() }, maker.session)
    const as = { session: workspace.ownerSession }
    const roles = '/portal/api/roles'
    await instance.call('PATCH', roles, {
      ...as,
      body: { workspaceId: workspace.id, id: raised, rank: '30' },
    })
    await instance.call('DELETE', `${roles}?workspaceId=${workspace.id}&id=${deleted}`, as)
    const [now] = (await list()).invitations
    expect([now.valid, now.roles.map(({ id }: { id: string }) => id)]).toEqual(['true', [stays]])
    await instance.call(
      'DELETE',
      `/portal/api/members?workspaceId=${workspace.id}&accountId=${maker.accountId}`,
      as,
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
    await archived(instance, workspace.id, true)
    await quota(instance, workspace.id, 0)
    const answer = await withdraw(body.invitation.id)
    expect([answer.status, answer.body.invitation.id]).toEqual([200, body.invitation.id])
    expect((await readToken(body.token)).status).toBe(404)
    expect((await withdraw(body.invitation.id)).status).toBe(404)
  })

  test('of one that gives roles at or above the own rank is refused, unless it is one’s own', async () => {
    await begin()
    const { session } = await instance.member(workspace.id, permissions, 30)
    const high = await instance.role(workspace.id, [], 40)
    const low = await instance.role(workspace.id, [], 20)
    const [above, below] = [await invite({ roleIds: high }), await invite({ roleIds: low })]
    expect(await refused(() => withdraw(above.body.invitation.id, session))).toMatchObject({
      status: 403,
      reason: 'insufficient_rank',
    })
    expect((await withdraw(below.body.invitation.id, session)).status).toBe(200)
    const own = await invite({ roleIds: low }, session)
    const as = { session: workspace.ownerSession }
    await instance.call('PATCH', '/portal/api/roles', {
      ...as,
      body: { workspaceId: workspace.id, id: low, rank: '50' },
    })
    expect((await withdraw(own.body.invitation.id, session)).status).toBe(200)
  })

  test('needs an id', async () => {
    await begin()
    const step = () =>
      instance.call('DELETE', `${path}?workspaceId=${workspace.id}`, { session: workspace.ownerSession })
    expect((await refused(step)).details).toEqual([{ field: 'id', message: 'is required' }])
  })
})

test('making and withdrawing are in the log, without the token', async () => {
  await begin()
  const { body } = await invite({ note: 'For Kim' })
  const { id } = body.invitation
  await withdraw(id)
  const { body: log } = await instance.call(
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
  const left = JSON.stringify((await stored(instance)).invitation)
  expect(left).not.toContain(short.body.invitation.id)
  expect(left).toContain(long.body.invitation.id)
})

describe('who may', () => {
  test('reading, inviting and withdrawing need members.manage', async () => {
    await begin()
    const { id } = (await invite()).body.invitation
    const request = { path, who: 'session', workspaceId: workspace.id, permission: 'members.manage' } as const
    const query = { workspaceId: workspace.id }
    await replay(instance, { ...request, method: 'GET', query })
    await replay(instance, { ...request, method: 'POST', body: query })
    await replay(instance, { ...request, method: 'DELETE', query: { ...query, id }, whileArchived: true })
  })

  test("another workspace's invitation is not found, exactly as one that never was", async () => {
    const other = await begin()
    const foreign = (await invite()).body.invitation.id
    await begin()
    const outcomes = []
    for (const id of [foreign, NEVER_WAS]) {
      const { requestId: _, ...rest } = await refused(() => withdraw(id))
      outcomes.push(rest)
    }
    expect(outcomes[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(outcomes[0]).toEqual(outcomes[1])
    expect((await list()).invitations).toEqual([])
    workspace = other
    expect((await list()).invitations).toHaveLength(1)
  })

  test('nothing that was refused was our own failure', () => {
    expect(instance.failures).toEqual([])
  })
})
