import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import {
  type Instance,
  openInstance,
  PASSWORD,
  type TestResponse,
  UNKNOWN_ID,
} from '../../support/instance.ts'
import { expectRejectedUnchanged, readStoredRows } from '../../support/stored-rows.ts'
import { holdWrites } from '../../support/write-queue.ts'
import {
  type AccountRequests,
  type OperatorSession,
  openAccountRequests,
  PATH,
} from './operator-account-requests.ts'

let instance: Instance
let operator: OperatorSession
let requests: AccountRequests
const SECRET = 'four words that I chose'

beforeAll(async () => {
  instance = await openInstance()
  ;({ operator, requests } = await openAccountRequests(instance))
})
afterAll(() => instance.close())

const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('the list of accounts', () => {
  test('is sorted by username, in pages that contain every account once', async () => {
    for (const name of ['zora', 'Ännchen', 'abel']) await instance.account(name)
    const seenUsernames: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: TestResponse = await requests.list(cursor ? { limit: '2', cursor } : { limit: '2' })
      seenUsernames.push(...body.accounts.map(({ username }: { username: string }) => username))
      cursor = body.nextCursor
    }
    expect(seenUsernames).toEqual(['abel', 'Operator', 'zora', 'Ännchen'])
  })

  test('finds usernames that contain the text, ignoring case and treating every character literally', async () => {
    await instance.account('Per%cent_sign')
    const names = async (q: string) =>
      (await requests.list({ q })).body.accounts.map(({ username }: { username: string }) => username)
    expect(await names('ÄNN')).toEqual(['Ännchen'])
    expect(await names('%')).toEqual(['Per%cent_sign'])
    expect(await names('r_')).toEqual([])
    expect(await names('nobody at all')).toEqual([])
  })

  test('shows the status, creation time, last activity and workspaces of each account', async () => {
    const workspace = await instance.workspace()
    const idle = await instance.account('Idle')
    const { account, workspaces } = (await requests.list({ id: workspace.ownerId })).body
    const now = new Date(instance.ports.now()).toISOString()
    expect(account).toEqual({
      id: workspace.ownerId,
      username: expect.any(String),
      isOperator: 'false',
      status: 'active',
      disabledAt: null,
      createdAt: now,
      lastSeenAt: now,
      workspaces: '1',
    })
    expect(workspaces).toEqual([{ id: workspace.id, groupName: expect.any(String), isOwner: 'true' }])
    expect((await requests.list({ id: idle })).body.account).toMatchObject({
      lastSeenAt: null,
      workspaces: '0',
    })
    expect((await requests.list({ id: UNKNOWN_ID })).status).toBe(404)
  })

  test('can be filtered by operators and by disabled accounts', async () => {
    const disabledId = await instance.account('Switched off')
    await requests.change(disabledId, { disabled: 'true' })
    const ids = async (query: Record<string, string>) =>
      (await requests.list(query)).body.accounts.map(({ id }: { id: string }) => id)
    expect(await ids({ operators: 'true' })).toEqual([operator.id])
    expect(await ids({ disabled: 'true' })).toEqual([disabledId])
    expect(await ids({ disabled: 'true', operators: 'true' })).toEqual([])
  })

  test('rejects a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['members', 'a'])).toString('base64url')
    expect((await requests.list({ cursor })).body.details[0].field).toBe('cursor')
  })
})

describe('creating an account', () => {
  test('lets it sign in with the given username and password', async () => {
    const { status, body } = await requests.create({ username: 'Fresh', password: SECRET })
    expect([status, body.account.username, body.account.isOperator]).toEqual([200, 'Fresh', 'false'])
    expect((await requests.signIn('fresh', SECRET)).status).toBe(200)
    expect(await requests.readAuditActions(body.account.id)).toEqual(['accounts.create'])
  })

  test('can make it an operator at once', async () => {
    const { body } = await requests.create({ username: 'Deputy', password: SECRET, isOperator: 'true' })
    const session = await instance.session(body.account.id)
    expect((await instance.request('GET', PATH, { session })).status).toBe(200)
    await requests.change(body.account.id, { isOperator: 'false' })
  })

  test('is a conflict if the name is taken, ignoring case, and names the missing and invalid fields', async () => {
    expect(
      await expectRejected(() => requests.create({ username: 'OPERATOR', password: SECRET })),
    ).toMatchObject({
      status: 409,
    })
    const findRejectedFields = async (body: object) =>
      (await expectRejected(() => requests.create(body))).details.map(({ field }: { field: string }) => field)
    expect(await findRejectedFields({})).toEqual(['username', 'password'])
    expect(await findRejectedFields({ username: 'Poor', password: 'password123' })).toEqual(['password'])
    expect(await findRejectedFields({ username: ' ', password: SECRET })).toEqual(['username'])
  })
})

describe('a new password', () => {
  test('replaces the old one, and ends every session of the account', async () => {
    const id = await instance.account('Forgetful')
    const session = await instance.session(id)
    const { status, body } = await requests.resetPassword({ id, password: SECRET })
    expect([status, body.account.id, body.account.lastSeenAt]).toEqual([200, id, null])
    expect((await requests.readSession(session)).body.reason).toBe('invalid_session')
    expect((await requests.signIn('Forgetful', PASSWORD)).status).toBe(401)
    expect((await requests.signIn('Forgetful', SECRET)).status).toBe(200)
    expect(await requests.readAuditActions(id)).toEqual(['accounts.set_password'])
  })

  test('is rejected if it is weak, missing, or for an unknown account', async () => {
    expect(
      await expectRejected(() => requests.resetPassword({ id: UNKNOWN_ID, password: SECRET })),
    ).toMatchObject({
      status: 404,
    })
    expect((await expectRejected(() => requests.resetPassword({}))).details).toHaveLength(2)
    const invalidResponse = await expectRejected(() =>
      requests.resetPassword({ id: operator.id, password: 'short' }),
    )
    expect(invalidResponse.details[0].field).toBe('password')
  })

  test('is never stored in plain text, and neither route accepts an idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' }
    const plantedPassword = 'the-secret-that-leaks'
    const id = await instance.account('Planted')
    for (const step of [
      () => requests.create({ username: 'Never', password: plantedPassword }, { headers }),
      () => requests.resetPassword({ id, password: plantedPassword }, { headers }),
    ]) {
      const response = await expectRejected(step)
      expect([response.status, response.details[0].field]).toEqual([400, 'Idempotency-Key'])
    }
    await requests.resetPassword({ id, password: plantedPassword })
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(plantedPassword)
  })
})

describe('operators', () => {
  test('can be added and removed, with effect from the next request', async () => {
    const id = await instance.account('Promoted')
    const session = await instance.session(id)
    const allowed = async () => (await instance.request('GET', PATH, { session })).status
    expect(await allowed()).toBe(403)
    expect((await requests.change(id, { isOperator: 'true' })).body.account.isOperator).toBe('true')
    expect(await allowed()).toBe(200)
    await requests.change(id, { isOperator: 'false' })
    expect(await allowed()).toBe(403)
    expect(await requests.readAuditActions(id)).toEqual([
      'accounts.make_operator',
      'accounts.unmake_operator',
    ])
  })

  test('always include one who can sign in', async () => {
    expect(await expectRejected(() => requests.change(operator.id, { isOperator: 'false' }))).toMatchObject({
      status: 409,
    })
    const other = await instance.account('Other operator', true)
    await requests.change(other, { disabled: 'true' })
    // A disabled operator does not count.
    expect(await expectRejected(() => requests.change(operator.id, { isOperator: 'false' }))).toMatchObject({
      status: 409,
    })
    await requests.change(other, { disabled: 'false' })
    expect((await requests.change(operator.id, { isOperator: 'false' })).status).toBe(200)
    const session = await instance.session(other)
    expect((await requests.change(operator.id, { isOperator: 'true' }, session)).status).toBe(200)
    await requests.change(other, { isOperator: 'false' })
  })

  test('who remove each other at the same time leave one', async () => {
    const target = await openInstance()
    const [one, other] = [await target.account('Rival', true), await target.account('Other', true)]
    const [oneSession, otherSession] = [await target.session(one), await target.session(other)]
    const removeOperator = (session: string, id: string) =>
      target.request('PATCH', PATH, { session, body: { id, isOperator: 'false' } })
    const writes = await holdWrites(target.db)
    const first = removeOperator(oneSession, other)
    await writes.untilWaiting(1)
    const second = removeOperator(otherSession, one)
    await writes.untilWaiting(2)
    await writes.release()
    expect([(await first).status, (await second).status]).toEqual([200, 409])
    expect(await target.storage.query('select id from account where is_operator = 1')).toHaveLength(1)
    await target.close()
  })

  test('cannot send an empty change, or change an unknown account', async () => {
    const emptyChangeResponse = await expectRejected(() => requests.change(operator.id, {}))
    expect([emptyChangeResponse.status, emptyChangeResponse.details[0].field]).toEqual([400, 'body'])
    expect(await expectRejected(() => requests.change(UNKNOWN_ID, { disabled: 'true' }))).toMatchObject({
      status: 404,
    })
  })
})

describe('access', () => {
  test('requires the session of an operator', async () => {
    const { id: workspaceId } = await instance.workspace()
    const id = await instance.account()
    const request = { who: 'operator', workspace: 'none', workspaceId, permission: null } as const
    await expectAccessRules(instance, { ...request, method: 'GET', path: PATH })
    await expectAccessRules(instance, {
      ...request,
      method: 'PATCH',
      path: PATH,
      body: { id, disabled: 'true' },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      path: PATH,
      body: { username: 'By replay', password: SECRET },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      path: `${PATH}/password`,
      body: { id, password: SECRET },
    })
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
