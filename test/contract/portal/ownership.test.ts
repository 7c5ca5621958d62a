import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { expectAccessRules } from '../../support/access-rules.ts'
import {
  type Instance,
  openInstance,
  PASSWORD,
  type TestResponse,
  UNKNOWN_ID,
} from '../../support/instance.ts'
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
  more: object = {},
): Promise<TestResponse> =>
  instance.request('POST', path, {
    session,
    body: { workspaceId: workspace.id, accountId: successor.accountId, password: PASSWORD, ...fields },
    ...more,
  })

/** Everybody who owns the workspace: by its own row, and by the owner role. */
async function owners(): Promise<string[]> {
  const credentials = { key: workspace.key }
  const { body } = await instance.request('GET', `/api/workspaces?id=${workspace.id}`, credentials)
  const holders = (await readStoredRows(instance)).member_role?.map((line) => JSON.parse(line)) ?? []
  const byRole = holders.filter((row) => row.role_id === workspace.ownerRoleId).map((row) => row.account_id)
  return [body.workspace.ownerId, ...byRole]
}

const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('handing over', () => {
  test('makes a member the owner, who may do all from the next request on, and leaves the former one no role', async () => {
    const { status, body } = await transfer()
    expect(status).toBe(200)
    expect(body.owner).toMatchObject({ accountId: successor.accountId, isOwner: 'true', rank: '1000000' })
    expect(body.formerOwner).toMatchObject({
      accountId: workspace.ownerId,
      isOwner: 'false',
      roles: [],
      rank: '0',
    })
    expect(await owners()).toEqual([successor.accountId, successor.accountId])
    const me = (await instance.request('GET', '/portal/api/me', { session: successor.session })).body
      .workspaces[0]
    expect([me.isOwner, JSON.parse(me.permissions)]).toEqual(['true', permissions])
    const members = `/portal/api/members?workspaceId=${workspace.id}`
    expect((await instance.request('GET', members, { session: workspace.ownerSession })).body.reason).toBe(
      'missing_permission',
    )
  })

  test('keeps the roles of whoever becomes owner, and gives the former one those that were chosen', async () => {
    const keptRole = await instance.role(workspace.id, ['events.view'], 900)
    const { body } = await transfer({ roleIds: keptRole })
    const ids = (member: { roles: { id: string }[] }) => member.roles.map(({ id }) => id)
    expect(ids(body.owner)).toEqual([workspace.ownerRoleId, successor.roleId])
    expect(ids(body.formerOwner)).toEqual([keptRole])
  })

  test('can be done back again by the new owner', async () => {
    await transfer()
    const transferBack = await transfer({ accountId: workspace.ownerId }, successor.session)
    expect(transferBack.status).toBe(200)
    expect(await owners()).toEqual([workspace.ownerId, workspace.ownerId])
  })

  test('leaves API keys as they are', async () => {
    await transfer()
    const response = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    expect(response.status).toBe(200)
  })

  test('is in the log: who, to whom, and what the former owner kept', async () => {
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
    expect(JSON.stringify(entry)).not.toContain(PASSWORD)
  })

  test('goes past an old version of the workspace', async () => {
    const credentials = { session: workspace.ownerSession }
    const version = async () =>
      (await instance.request('GET', `/api/workspaces?id=${workspace.id}`, credentials)).body.workspace
        .version
    const before = await version()
    await transfer()
    expect(Number(await version())).toBeGreaterThan(Number(before))
  })
})

describe('there is one owner at any time', () => {
  test('of many transfers at once to different members exactly one holds', async () => {
    const others = []
    for (let count = 0; count < 5; count++) others.push(await instance.member(workspace.id, []))
    const responses = await Promise.all(others.map(({ accountId }) => transfer({ accountId })))
    const done = responses.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    for (const response of responses.filter(({ status }) => status !== 200))
      expect([response.status, response.body.reason]).toEqual([403, 'insufficient_rank'])
    const owner = done[0]?.body.owner.accountId
    expect(await owners()).toEqual([owner, owner])
  })

  test('a member who leaves while being made the owner leaves no gap', async () => {
    const leaveWorkspace = () =>
      instance.request(
        'DELETE',
        `/portal/api/members?workspaceId=${workspace.id}&accountId=${successor.accountId}`,
        { session: successor.session },
      )
    const [newOwners, formerOwners] = await Promise.all([transfer(), leaveWorkspace()])
    const ownersBefore = await owners()
    expect(new Set(ownersBefore).size).toBe(1)
    expect(ownersBefore).toHaveLength(2)
    // Whichever came first, the other one was refused.
    expect([newOwners.status, formerOwners.status].filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('errors', () => {
  test('a wrong password changes nothing and counts as a failed sign-in', async () => {
    const from = '198.51.100.200'
    const wrong = () => transfer({ password: 'not the password' }, workspace.ownerSession, { from })
    const response = await expectRejected(wrong)
    expect([response.status, response.details]).toEqual([
      400,
      [{ field: 'password', message: 'is not your present password' }],
    ])
    for (let count = 0; count < 9; count++) await wrong()
    expect((await transfer({}, workspace.ownerSession, { from })).status).toBe(429)
  })

  test('the right password takes the failures before it back', async () => {
    const from = '198.51.100.202'
    const wrong = () => transfer({ password: 'not the password' }, workspace.ownerSession, { from })
    for (let count = 0; count < 9; count++) await wrong()
    expect((await transfer({}, workspace.ownerSession, { from })).status).toBe(200)
    await transfer({ accountId: workspace.ownerId }, successor.session)
    expect((await wrong()).status).toBe(400)
  })

  test('what is missing is named; a member that never was is not found; unknown roles are refused', async () => {
    const countAttempts = () =>
      instance.request('POST', path, { session: workspace.ownerSession, body: { workspaceId: workspace.id } })
    expect((await expectRejected(countAttempts)).details).toEqual([
      { field: 'accountId', message: 'is required' },
      { field: 'password', message: 'is required' },
    ])
    expect(await expectRejected(() => transfer({ accountId: UNKNOWN_ID }))).toMatchObject({ status: 404 })
    const outsider = await instance.account()
    expect(await expectRejected(() => transfer({ accountId: outsider }))).toMatchObject({ status: 404 })
    expect(await expectRejected(() => transfer({ roleIds: UNKNOWN_ID }))).toMatchObject({ status: 400 })
  })

  test('to oneself, to a disabled account, or keeping the owner role is a conflict', async () => {
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

  test('it refuses an Idempotency-Key, as the password must not be kept', async () => {
    const headers = { 'idempotency-key': 'once' }
    const response = await expectRejected(() => transfer({}, workspace.ownerSession, { headers }))
    expect([response.status, response.details[0].field]).toEqual([400, 'Idempotency-Key'])
  })

  test('an archived workspace is not handed over', async () => {
    await setArchived(instance, workspace.id, true)
    expect(await expectRejected(() => transfer())).toMatchObject({
      status: 403,
      reason: 'workspace_archived',
    })
  })
})

describe('who may', () => {
  test('the owner alone: no permission and no rank stands for it', async () => {
    const { session } = await instance.member(workspace.id, permissions, 999_999)
    // Their own password does not matter then: a wrong one is answered alike.
    for (const password of [PASSWORD, 'not the password']) {
      expect(await expectRejected(() => transfer({ password }, session))).toMatchObject({
        status: 403,
        reason: 'insufficient_rank',
      })
    }
  })

  test('strangers, keys and other sites are turned away', async () => {
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      who: 'session',
      workspaceId: workspace.id,
      permission: null,
      body: { workspaceId: workspace.id, accountId: successor.accountId, password: PASSWORD },
      accepted: null,
    })
  })

  test('a member of another workspace is not found, exactly as one that never was', async () => {
    const other = await instance.workspace()
    const foreignMember = await instance.member(other.id, [])
    const outcomes = []
    for (const accountId of [foreignMember.accountId, UNKNOWN_ID]) {
      const { requestId: _, ...rest } = await expectRejected(() => transfer({ accountId }))
      outcomes.push(rest)
    }
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  test('a session whose account got another password meanwhile hands nothing over', async () => {
    const { db, ports } = instance
    const from = '198.51.100.201'
    const passwordHash = await hashPassword('another long secret')
    const listAttempts = statement<{ from: string }>()((sql, p) =>
      sql.selectFrom('sign_in_failure').select('id').where('address', '=', p.from),
    )
    const transferAttempt = transfer({}, workspace.ownerSession, { from })
    // The attempt is on record: the account has been read, and its password is being checked.
    while (!(await db.read.first(listAttempts, { from }))) await db.write(async () => null)
    await db.write((tx) =>
      setPassword(tx, ports, anonymousActor, { accountId: workspace.ownerId, passwordHash }),
    )
    const response = await transferAttempt
    expect([response.status, response.body.reason]).toEqual([401, 'invalid_session'])
    expect(await owners()).toEqual([workspace.ownerId, workspace.ownerId])
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
