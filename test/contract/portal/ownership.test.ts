import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { expectRejectedUnchanged, readStoredRows } from '../../support/stored-rows.ts'
import { setArchived } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let successor: Awaited<ReturnType<Instance['member']>>
const path = '/portal/api/ownership'

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  successor = await instance.member(workspace.id, ['members.view'], 20)
})
afterAll(() => instance.close())

const transfer = (
  fields: object = {},
  session = workspace.ownerSession,
  options: object = {},
): Promise<TestResponse> =>
  instance.request('POST', path, {
    session,
    body: { workspaceId: workspace.id, accountId: successor.accountId, ...fields },
    ...options,
  })

/** The account ids of the owner: in the workspace row, then of everyone with the owner role. */
async function listOwners(): Promise<string[]> {
  const credentials = { key: workspace.key }
  const { body } = await instance.request('GET', `/api/workspaces?id=${workspace.id}`, credentials)
  const holders = (await readStoredRows(instance)).member_role?.map((line) => JSON.parse(line)) ?? []
  const byRole = holders.filter((row) => row.role_id === workspace.ownerRoleId).map((row) => row.account_id)
  return [body.workspace.ownerId, ...byRole]
}

const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('a transfer', () => {
  test('makes a member the owner, with all permissions from the next request, and leaves the former owner without roles', async () => {
    const { status, body } = await transfer()
    expect(status).toBe(200)
    expect(body.owner).toMatchObject({ accountId: successor.accountId, isOwner: 'true', rank: '1000000' })
    expect(body.formerOwner).toMatchObject({
      accountId: workspace.ownerId,
      isOwner: 'false',
      roles: [],
      rank: '0',
    })
    expect(await listOwners()).toEqual([successor.accountId, successor.accountId])
    const me = (await instance.request('GET', '/portal/api/me', { session: successor.session })).body
      .workspaces[0]
    expect([me.isOwner, JSON.parse(me.permissions)]).toEqual(['true', permissions])
    const members = `/portal/api/members?workspaceId=${workspace.id}`
    expect((await instance.request('GET', members, { session: workspace.ownerSession })).body.reason).toBe(
      'missing_permission',
    )
  })

  test('preserves the roles of the new owner, and assigns the chosen roles to the former one', async () => {
    const keptRole = await instance.role(workspace.id, ['events.view'], 900)
    const { body } = await transfer({ roleIds: keptRole })
    const ids = (member: { roles: { id: string }[] }) => member.roles.map(({ id }) => id)
    expect(ids(body.owner)).toEqual([workspace.ownerRoleId, successor.roleId])
    expect(ids(body.formerOwner)).toEqual([keptRole])
  })

  test('can be reversed by the new owner', async () => {
    await transfer()
    const transferBack = await transfer({ accountId: workspace.ownerId }, successor.session)
    expect(transferBack.status).toBe(200)
    expect(await listOwners()).toEqual([workspace.ownerId, workspace.ownerId])
  })

  test('does not change API keys', async () => {
    await transfer()
    const response = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    expect(response.status).toBe(200)
  })

  test('is in the audit log, with both owners and the roles of the former one', async () => {
    const keptRole = await instance.role(workspace.id, [], 5)
    await transfer({ roleIds: keptRole })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
      session: successor.session,
    })
    const [entry] = body.entries
    expect([entry.action, entry.actorId, entry.targetId]).toEqual([
      'workspaces.transfer',
      workspace.ownerId,
      workspace.id,
    ])
    for (const part of [workspace.ownerId, successor.accountId, keptRole])
      expect(JSON.stringify(entry)).toContain(part)
  })

  test('increases the version of the workspace', async () => {
    const credentials = { session: workspace.ownerSession }
    const version = async () =>
      (await instance.request('GET', `/api/workspaces?id=${workspace.id}`, credentials)).body.workspace
        .version
    const before = await version()
    await transfer()
    expect(Number(await version())).toBeGreaterThan(Number(before))
  })
})

describe('a workspace always has exactly one owner', () => {
  test('of concurrent transfers to different members, exactly one succeeds', async () => {
    const others = []
    for (let count = 0; count < 5; count++) others.push(await instance.member(workspace.id, []))
    const responses = await Promise.all(others.map(({ accountId }) => transfer({ accountId })))
    const done = responses.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 200))
      expect([response.status, response.body.reason]).toEqual([403, 'insufficient_rank'])
    const owner = done[0]?.body.owner.accountId
    expect(await listOwners()).toEqual([owner, owner])
  })

  test('a concurrent transfer to a member who leaves does not remove the owner', async () => {
    const leaveWorkspace = () =>
      instance.request(
        'DELETE',
        `/portal/api/members?workspaceId=${workspace.id}&accountId=${successor.accountId}`,
        { session: successor.session },
      )
    const [transferred, left] = await Promise.all([transfer(), leaveWorkspace()])
    const owners = await listOwners()
    expect(new Set(owners).size).toBe(1)
    expect(owners).toHaveLength(2)
    // Whichever ran first, the other was refused.
    expect([transferred.status, left.status].filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('errors', () => {
  test('missing fields are named, an unknown member is not found, unknown roles are refused', async () => {
    const transferWithoutFields = () =>
      instance.request('POST', path, { session: workspace.ownerSession, body: { workspaceId: workspace.id } })
    expect((await expectRejected(transferWithoutFields)).details).toEqual([
      { field: 'accountId', message: 'is required' },
    ])
    expect(await expectRejected(() => transfer({ accountId: UNKNOWN_ID }))).toMatchObject({ status: 404 })
    const outsider = await instance.account()
    expect(await expectRejected(() => transfer({ accountId: outsider }))).toMatchObject({ status: 404 })
    expect(await expectRejected(() => transfer({ roleIds: UNKNOWN_ID }))).toMatchObject({ status: 400 })
  })

  test('to oneself, to a disabled account, or with the owner role for the former owner is a conflict', async () => {
    expect(await expectRejected(() => transfer({ accountId: workspace.ownerId }))).toMatchObject({
      status: 409,
    })
    expect(await expectRejected(() => transfer({ roleIds: workspace.ownerRoleId }))).toMatchObject({
      status: 409,
    })
    const operator = await instance.session(await instance.account(undefined, true))
    const body = { id: successor.accountId, disabled: 'true' }
    await instance.request('PATCH', '/admin/api/accounts', { session: operator, body })
    expect(await expectRejected(() => transfer())).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('an archived workspace cannot be transferred', async () => {
    await setArchived(instance, workspace.id, true)
    expect(await expectRejected(() => transfer())).toMatchObject({
      status: 403,
      reason: 'workspace_archived',
    })
  })
})

describe('access', () => {
  test('only the owner can transfer, whatever permissions and rank others have', async () => {
    const { session } = await instance.member(workspace.id, permissions, 999_999)
    expect(await expectRejected(() => transfer({}, session))).toMatchObject({
      status: 403,
      reason: 'insufficient_rank',
    })
  })

  test('a same-origin session is required', async () => {
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      who: 'session',
      workspaceId: workspace.id,
      permission: null,
      body: { workspaceId: workspace.id, accountId: successor.accountId },
      accepted: null,
    })
  })

  test('a member of another workspace gets the same response as an unknown one', async () => {
    const other = await instance.workspace()
    const foreignMember = await instance.member(other.id, [])
    const outcomes = []
    for (const accountId of [foreignMember.accountId, UNKNOWN_ID]) {
      const { requestId: _, ...rest } = await expectRejected(() => transfer({ accountId }))
      outcomes.push(rest)
    }
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
