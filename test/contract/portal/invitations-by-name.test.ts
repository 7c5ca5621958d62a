import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'
import { setArchived } from '../../support/workspace-states.ts'
import { archiveWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { createMemberRequests } from './member-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
})
// A new workspace for each test, so that lists contain only its own invitations.
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

let accountCount = 0
/** A signed-in account without a workspace. */
async function createPerson(username = `Person ${++accountCount}`) {
  const accountId = await instance.account(username)
  return { accountId, username, session: await instance.session(accountId) }
}
const invite = (body: object, session = workspace.ownerSession): Promise<TestResponse> =>
  instance.request('POST', '/portal/api/invitations', {
    session,
    body: { workspaceId: workspace.id, ...body },
  })
const listSent = async () =>
  (
    await instance.request('GET', `/portal/api/invitations?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
  ).body.invitations
const listReceived = async (session: string) =>
  (await instance.request('GET', '/portal/api/invitations/received', { session })).body.invitations
const countReceived = async (session: string) =>
  (await instance.request('GET', '/portal/api/me', { session })).body.receivedInvitations
const accept = (id: string, session: string) =>
  instance.request('POST', '/portal/api/invitation/accept', { session, body: { id } })
const decline = (id: string, session: string) =>
  instance.request('POST', '/portal/api/invitations/decline', { session, body: { id } })
const readMembers = async () =>
  (
    await instance.request('GET', `/portal/api/members?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
  ).body.members as { accountId: string; roles: { id: string }[] }[]
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

/** The parts of a response that may differ between two equal requests: IDs, times and the name that was sent. */
function withoutVariableParts({ status, headers, body }: TestResponse, username: string) {
  const names = [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort()
  const text = JSON.stringify(body)
    .replaceAll(username, '')
    .replaceAll(/[0-9a-f-]{36}/g, '')
    .replaceAll(/\d{4}-[^"]*Z/g, '')
  return { status, names, text }
}

describe('inviting a username', () => {
  test('makes nobody a member until the account accepts, and gives it the roles then', async () => {
    const person = await createPerson('Zoë')
    const roleId = await instance.role(workspace.id, ['departments.view'], 5)
    const { status, body } = await invite({ username: 'ZOË', roleIds: roleId })
    expect([status, body.token, body.invitation.username]).toEqual([200, null, 'ZOË'])
    expect((await readMembers()).map(({ accountId }) => accountId)).toEqual([workspace.ownerId])
    expect(await countReceived(person.session)).toBe('1')
    const [received] = await listReceived(person.session)
    expect(received).toMatchObject({
      id: body.invitation.id,
      workspaceId: workspace.id,
      status: 'active',
      roles: [{ id: roleId }],
      valid: 'true',
    })
    expect((await accept(received.id, person.session)).status).toBe(200)
    const member = (await readMembers()).find(({ accountId }) => accountId === person.accountId)
    expect(member?.roles.map(({ id }) => id)).toEqual([roleId])
    expect([await countReceived(person.session), await listSent()]).toEqual(['0', []])
  })

  test('gets the same response and the same entry in the list whether there is such an account or not', async () => {
    const { username } = await createPerson('Wren Existing')
    const known = await invite({ username })
    const unknown = await invite({ username: 'Wren Imagined' })
    expect(withoutVariableParts(known, username)).toEqual(withoutVariableParts(unknown, 'Wren Imagined'))
    const [second, first] = await listSent()
    expect(Object.keys(first)).toEqual(Object.keys(second))
    expect({ ...first, id: '', username: '' }).toEqual({ ...second, id: '', username: '' })
    for (const name of [username, 'Wren Imagined']) {
      expect(await expectRejected(() => invite({ username: name }))).toMatchObject({
        status: 409,
        error: `${name} is already invited. Withdraw that invitation first to send another one.`,
      })
    }
  })

  test('to nobody is not received by an account that takes the username later', async () => {
    await invite({ username: 'Latecomer', roleIds: await instance.role(workspace.id, permissions, 50) })
    const { session } = await createPerson('Latecomer')
    expect([await countReceived(session), await listReceived(session)]).toEqual(['0', []])
  })

  test('of a member is a conflict, and of concurrent requests for one username the first succeeds', async () => {
    const owner = (await instance.request('GET', '/portal/api/me', { session: workspace.ownerSession })).body
    expect(await expectRejected(() => invite({ username: owner.account.username }))).toMatchObject({
      status: 409,
      error: `${owner.account.username} is already a member.`,
    })
    const { username } = await createPerson()
    const responses = await Promise.all(Array.from({ length: 5 }, () => invite({ username })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })

  test('can be withdrawn', async () => {
    const person = await createPerson()
    const { id } = (await invite({ username: person.username })).body.invitation
    const query = new URLSearchParams({ workspaceId: workspace.id, id })
    await instance.request('DELETE', `/portal/api/invitations?${query}`, { session: workspace.ownerSession })
    expect(await listReceived(person.session)).toEqual([])
    expect((await expectRejected(() => accept(id, person.session))).status).toBe(404)
  })

  test('requires members.manage and roles that the inviter can assign', async () => {
    const { username } = await createPerson()
    const manager = await instance.member(workspace.id, ['members.manage'], 30)
    const other = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'members.manage'),
      30,
    )
    expect(await expectRejected(() => invite({ username }, other.session))).toMatchObject({ status: 403 })
    const roleIds = await instance.role(workspace.id, ['moderation.ban'], 5)
    expect(await expectRejected(() => invite({ username, roleIds }, manager.session))).toMatchObject({
      status: 403,
      permission: 'moderation.ban',
    })
  })
})

describe('a received invitation', () => {
  test('can be declined, which is in the audit log of the workspace', async () => {
    const person = await createPerson()
    const { id } = (await invite({ username: person.username })).body.invitation
    expect((await decline(id, person.session)).status).toBe(200)
    expect([await listReceived(person.session), await listSent()]).toEqual([[], []])
    expect((await expectRejected(() => accept(id, person.session))).status).toBe(404)
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
      session: workspace.ownerSession,
    })
    expect(body.entries[0]).toMatchObject({ action: 'invitations.decline', targetId: id })
  })

  test('belongs to one account: for others it is like one that never existed', async () => {
    const person = await createPerson()
    const stranger = await createPerson()
    const { id } = (await invite({ username: person.username })).body.invitation
    for (const use of [accept, decline]) {
      const { requestId: _, ...foreign } = await expectRejected(() => use(id, stranger.session))
      const { requestId: __, ...unknown } = await expectRejected(() => use(UNKNOWN_ID, stranger.session))
      expect(foreign).toEqual(unknown)
      expect(foreign.status).toBe(404)
    }
    const link = (await invite({})).body.invitation.id
    expect((await expectRejected(() => accept(link, person.session))).status).toBe(404)
  })

  test('says that it cannot be accepted once its inviter may no longer invite, or the workspace is archived', async () => {
    const person = await createPerson()
    const inviter = await instance.member(workspace.id, ['members.manage'], 30)
    const { id } = (await invite({ username: person.username }, inviter.session)).body.invitation
    await setArchived(instance, workspace.id, true)
    expect((await listReceived(person.session))[0]).toMatchObject({ status: 'archived', valid: 'true' })
    expect(await expectRejected(() => accept(id, person.session))).toMatchObject({
      status: 403,
      reason: 'workspace_archived',
    })
    await setArchived(instance, workspace.id, false)
    const query = new URLSearchParams({ workspaceId: workspace.id, accountId: inviter.accountId })
    await instance.request('DELETE', `/portal/api/members?${query}`, { session: workspace.ownerSession })
    expect((await listReceived(person.session))[0]).toMatchObject({ valid: 'false', roles: [] })
    expect((await expectRejected(() => accept(id, person.session))).status).toBe(404)
  })

  test('is listed newest first, in pages, until it expires', async () => {
    const person = await createPerson()
    const ids = []
    for (let count = 0; count < 3; count++) {
      workspace = await instance.workspace()
      ids.unshift((await invite({ username: person.username, validSeconds: '3600' })).body.invitation.id)
    }
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ limit: '2', ...(cursor && { cursor }) })
      const path = `/portal/api/invitations/received?${query}`
      const { body }: TestResponse = await instance.request('GET', path, { session: person.session })
      seen.push(...body.invitations.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(ids)
    instance.clock.advance(3_600_000)
    expect([await countReceived(person.session), await listReceived(person.session)]).toEqual(['0', []])
  })
})

describe('an invitation of somebody who becomes a member without it', () => {
  const acceptLink = async (session: string, roleIds: string) => {
    const { token } = (await invite({ roleIds })).body
    const { status } = await instance.request('POST', '/portal/api/invitation/accept', {
      session,
      body: { token },
    })
    expect(status).toBe(200)
  }
  const readLog = async () =>
    (
      await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=3`, {
        session: workspace.ownerSession,
      })
    ).body.entries

  test('is withdrawn, which is in the audit log, and cannot bring back roles that were taken away since', async () => {
    const { write, remove } = createMemberRequests(instance, workspace)
    const person = await createPerson()
    const roleIds = await instance.role(workspace.id, ['moderation.view', 'moderation.ban'], 50)
    const { id } = (await invite({ username: person.username, roleIds })).body.invitation
    const other = (await invite({ username: 'Somebody else' })).body.invitation
    await acceptLink(person.session, roleIds)
    expect([await countReceived(person.session), await listReceived(person.session)]).toEqual(['0', []])
    expect((await listSent()).map((one: { id: string }) => one.id)).toEqual([other.id])
    const withdrawn = { action: 'invitations.withdraw', targetId: id, actorId: person.accountId }
    expect(await readLog()).toContainEqual(expect.objectContaining(withdrawn))
    expect((await write('PATCH', { accountId: person.accountId, roleIds: '' })).status).toBe(200)
    expect((await remove(person.accountId, person.session)).status).toBe(200)
    expect((await expectRejected(() => accept(id, person.session))).status).toBe(404)
  })

  test('is withdrawn when they leave, if they became a member again through a roll-back', async () => {
    const { remove } = createMemberRequests(instance, workspace)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const person = await createPerson()
    const roleIds = await instance.role(workspace.id, ['moderation.ban'], 50)
    await acceptLink(person.session, roleIds)
    const archive = await archiveWorkspace(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    expect((await remove(person.accountId)).status).toBe(200)
    const { id } = (await invite({ username: person.username, roleIds })).body.invitation
    await archiveWorkspace(instance, workspace)
    const rollBack = { id: workspace.id, fromArchive: archive.id }
    expect((await workspaces(rollBack, { session: workspace.ownerSession })).status).toBe(200)
    expect((await readMembers()).map(({ accountId }) => accountId)).toContain(person.accountId)
    expect((await remove(person.accountId)).status).toBe(200)
    expect([await listReceived(person.session), await listSent()]).toEqual([[], []])
    const withdrawn = { action: 'invitations.withdraw', targetId: id, actorId: workspace.ownerId }
    expect(await readLog()).toContainEqual(expect.objectContaining(withdrawn))
    expect((await expectRejected(() => accept(id, person.session))).status).toBe(404)
  })

  test('lets them in again if it was created after they were removed', async () => {
    const { remove } = createMemberRequests(instance, workspace)
    const person = await createPerson()
    const roleIds = await instance.role(workspace.id, ['moderation.view'], 50)
    await acceptLink(person.session, roleIds)
    expect((await remove(person.accountId)).status).toBe(200)
    const { id } = (await invite({ username: person.username, roleIds })).body.invitation
    expect((await accept(id, person.session)).body.member).toMatchObject({ roles: [{ id: roleIds }] })
  })

  test('and no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
