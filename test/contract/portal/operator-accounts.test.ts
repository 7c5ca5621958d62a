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

let instance: Instance
let operator: { id: string; session: string }
const path = '/admin/api/accounts'
const SECRET = 'four words that I chose'

beforeAll(async () => {
  instance = await openInstance()
  const id = await instance.account('Operator', true)
  operator = { id, session: await instance.session(id) }
})
afterAll(() => instance.close())

const readAccounts = (query: Record<string, string> = {}) =>
  instance.request('GET', `${path}?${new URLSearchParams(query)}`, { session: operator.session })
const create = (body: object, more: object = {}): Promise<TestResponse> =>
  instance.request('POST', path, { session: operator.session, body, ...more })
const change = (id: string, body: object, session = operator.session): Promise<TestResponse> =>
  instance.request('PATCH', path, { session, body: { id, ...body } })
const reset = (body: object, more: object = {}): Promise<TestResponse> =>
  instance.request('POST', `${path}/password`, { session: operator.session, body, ...more })
const signIn = (username: string, password: string) =>
  instance.request('POST', '/portal/api/sign-in', { body: { username, password } })
const me = (session: string) => instance.request('GET', '/portal/api/me', { session })
const tokenIn = (response: TestResponse): string =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
/** What the log of the instance holds about an account, oldest first. */
const logged = async (id: string) =>
  ((await readStoredRows(instance)).audit ?? [])
    .map((line) => JSON.parse(line))
    .filter((row) => row.target_id === id && row.actor_id === operator.id)
    .sort((one, other) => one.sequence - other.sequence)
    .map((row) => row.action)
const expectRejected = (step: () => Promise<TestResponse>) => expectRejectedUnchanged(instance, step)

describe('the list', () => {
  test('is by username, in pages that hold every account once', async () => {
    for (const name of ['zora', 'Ännchen', 'abel']) await instance.account(name)
    const seenUsernames: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: TestResponse = await readAccounts(cursor ? { limit: '2', cursor } : { limit: '2' })
      seenUsernames.push(...body.accounts.map(({ username }: { username: string }) => username))
      cursor = body.nextCursor
    }
    expect(seenUsernames).toEqual(['abel', 'Operator', 'zora', 'Ännchen'])
  })

  test('finds those whose name holds what was typed, ignoring case, and takes no sign for another', async () => {
    await instance.account('Per%cent_sign')
    const names = async (q: string) =>
      (await readAccounts({ q })).body.accounts.map(({ username }: { username: string }) => username)
    expect(await names('ÄNN')).toEqual(['Ännchen'])
    expect(await names('%')).toEqual(['Per%cent_sign'])
    expect(await names('r_')).toEqual([])
    expect(await names('nobody at all')).toEqual([])
  })

  test('shows of each what it is, since when, when it was last there and in how many workspaces', async () => {
    const workspace = await instance.workspace()
    const idle = await instance.account('Idle')
    const { account, workspaces } = (await readAccounts({ id: workspace.ownerId })).body
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
    expect((await readAccounts({ id: idle })).body.account).toMatchObject({
      lastSeenAt: null,
      workspaces: '0',
    })
    expect((await readAccounts({ id: UNKNOWN_ID })).status).toBe(404)
  })

  test('shows operators alone, or disabled ones alone', async () => {
    const off = await instance.account('Switched off')
    await change(off, { disabled: 'true' })
    const ids = async (query: Record<string, string>) =>
      (await readAccounts(query)).body.accounts.map(({ id }: { id: string }) => id)
    expect(await ids({ operators: 'true' })).toEqual([operator.id])
    expect(await ids({ disabled: 'true' })).toEqual([off])
    expect(await ids({ disabled: 'true', operators: 'true' })).toEqual([])
  })

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['members', 'a'])).toString('base64url')
    expect((await readAccounts({ cursor })).body.details[0].field).toBe('cursor')
  })
})

describe('creating', () => {
  test('makes an account that signs in with what was given', async () => {
    const { status, body } = await create({ username: 'Fresh', password: SECRET })
    expect([status, body.account.username, body.account.isOperator]).toEqual([200, 'Fresh', 'false'])
    expect((await signIn('fresh', SECRET)).status).toBe(200)
    expect(await logged(body.account.id)).toEqual(['accounts.create'])
  })

  test('an operator may be made at once', async () => {
    const { body } = await create({ username: 'Deputy', password: SECRET, isOperator: 'true' })
    const session = await instance.session(body.account.id)
    expect((await instance.request('GET', path, { session })).status).toBe(200)
    await change(body.account.id, { isOperator: 'false' })
  })

  test('a taken name is a conflict, ignoring case; what is missing or poor is named', async () => {
    expect(await expectRejected(() => create({ username: 'OPERATOR', password: SECRET }))).toMatchObject({
      status: 409,
    })
    const findByUsername = async (body: object) =>
      (await expectRejected(() => create(body))).details.map(({ field }: { field: string }) => field)
    expect(await findByUsername({})).toEqual(['username', 'password'])
    expect(await findByUsername({ username: 'Poor', password: 'password123' })).toEqual(['password'])
    expect(await findByUsername({ username: ' ', password: SECRET })).toEqual(['username'])
  })
})

describe('another password', () => {
  test('replaces the one before, and ends every session of the account', async () => {
    const id = await instance.account('Forgetful')
    const session = await instance.session(id)
    const { status, body } = await reset({ id, password: SECRET })
    expect([status, body.account.id, body.account.lastSeenAt]).toEqual([200, id, null])
    expect((await me(session)).body.reason).toBe('invalid_session')
    expect((await signIn('Forgetful', PASSWORD)).status).toBe(401)
    expect((await signIn('Forgetful', SECRET)).status).toBe(200)
    expect(await logged(id)).toEqual(['accounts.set_password'])
  })

  test('is refused where it is poor, missing or for an account that never was', async () => {
    expect(await expectRejected(() => reset({ id: UNKNOWN_ID, password: SECRET }))).toMatchObject({
      status: 404,
    })
    expect((await expectRejected(() => reset({}))).details).toHaveLength(2)
    const invalidResponse = await expectRejected(() => reset({ id: operator.id, password: 'short' }))
    expect(invalidResponse.details[0].field).toBe('password')
  })

  test('is stored nowhere, and neither route keeps it for a repeat', async () => {
    const headers = { 'idempotency-key': 'once' }
    const plantedPassword = 'the-secret-that-leaks'
    const id = await instance.account('Planted')
    for (const step of [
      () => create({ username: 'Never', password: plantedPassword }, { headers }),
      () => reset({ id, password: plantedPassword }, { headers }),
    ]) {
      const response = await expectRejected(step)
      expect([response.status, response.details[0].field]).toEqual([400, 'Idempotency-Key'])
    }
    await reset({ id, password: plantedPassword })
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(plantedPassword)
  })
})

describe('disabling', () => {
  test('ends the sessions of an account and keeps it from signing in; enabling lets it in again', async () => {
    const id = await instance.account('On leave')
    const session = tokenIn(await signIn('On leave', PASSWORD))
    const { body } = await change(id, { disabled: 'true' })
    expect(body.account).toMatchObject({
      status: 'disabled',
      disabledAt: new Date(instance.ports.now()).toISOString(),
      lastSeenAt: null,
    })
    expect((await me(session)).body.reason).toBe('invalid_session')
    const right = await signIn('On leave', PASSWORD)
    expect([right.status, right.headers.get('set-cookie')]).toEqual([401, null])
    expect(right.body.error).toBe('This account is disabled. Contact the operator of this instance.')
    expect((await change(id, { disabled: 'false' })).body.account.status).toBe('active')
    expect((await signIn('On leave', PASSWORD)).status).toBe(200)
    expect(await logged(id)).toEqual(['accounts.disable', 'accounts.enable'])
  })

  test('is revealed only to a caller who knows the password', async () => {
    const id = await instance.account('Hidden')
    await change(id, { disabled: 'true' })
    const wrong = await signIn('Hidden', 'not the password')
    const unknownResponse = await signIn('never was', 'not the password')
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknownResponse.body, requestId: '' })
  })

  test('holds against a sign-in under way', async () => {
    const id = await instance.account('Raced')
    const [response] = await Promise.all([signIn('Raced', PASSWORD), change(id, { disabled: 'true' })])
    const session = tokenIn(response)
    if (session) expect((await me(session)).status).toBe(401)
    expect((await signIn('Raced', PASSWORD)).status).toBe(401)
  })

  test('leaves what the account has made: its workspaces and their keys go on', async () => {
    const workspace = await instance.workspace()
    await change(workspace.ownerId, { disabled: 'true' })
    const response = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    expect(response.status).toBe(200)
  })

  test('keeps the moment it began, whatever is changed meanwhile', async () => {
    const id = await instance.account('Long gone')
    const first = (await change(id, { disabled: 'true' })).body.account.disabledAt
    instance.clock.advance(60_000)
    expect((await change(id, { disabled: 'true', isOperator: 'false' })).body.account.disabledAt).toBe(first)
  })

  test('of oneself is a conflict', async () => {
    const other = await instance.account('Second operator', true)
    expect(await expectRejected(() => change(operator.id, { disabled: 'true' }))).toMatchObject({
      status: 409,
    })
    await change(other, { isOperator: 'false' })
  })
})

describe('operators', () => {
  test('are made and unmade, from the next request on', async () => {
    const id = await instance.account('Promoted')
    const session = await instance.session(id)
    const allowed = async () => (await instance.request('GET', path, { session })).status
    expect(await allowed()).toBe(403)
    expect((await change(id, { isOperator: 'true' })).body.account.isOperator).toBe('true')
    expect(await allowed()).toBe(200)
    await change(id, { isOperator: 'false' })
    expect(await allowed()).toBe(403)
    expect(await logged(id)).toEqual(['accounts.make_operator', 'accounts.unmake_operator'])
  })

  test('there is always one who can sign in', async () => {
    expect(await expectRejected(() => change(operator.id, { isOperator: 'false' }))).toMatchObject({
      status: 409,
    })
    const other = await instance.account('Other operator', true)
    await change(other, { disabled: 'true' })
    // One who cannot sign in is none.
    expect(await expectRejected(() => change(operator.id, { isOperator: 'false' }))).toMatchObject({
      status: 409,
    })
    await change(other, { disabled: 'false' })
    expect((await change(operator.id, { isOperator: 'false' })).status).toBe(200)
    const session = await instance.session(other)
    expect((await change(operator.id, { isOperator: 'true' }, session)).status).toBe(200)
    await change(other, { isOperator: 'false' })
  })

  test('two who unmake each other at the same time leave one', async () => {
    const target = await openInstance()
    const [one, other] = [await target.account('Rival', true), await target.account('Other', true)]
    const [oneSession, otherSession] = [await target.session(one), await target.session(other)]
    const removeOperator = (session: string, id: string) =>
      target.request('PATCH', path, { session, body: { id, isOperator: 'false' } })
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

  test('a change of nothing is refused, and of an account that never was too', async () => {
    const emptyChangeResponse = await expectRejected(() => change(operator.id, {}))
    expect([emptyChangeResponse.status, emptyChangeResponse.details[0].field]).toEqual([400, 'isOperator'])
    expect(await expectRejected(() => change(UNKNOWN_ID, { disabled: 'true' }))).toMatchObject({
      status: 404,
    })
  })
})

describe('who may', () => {
  test('operators alone, by session', async () => {
    const { id: workspaceId } = await instance.workspace()
    const id = await instance.account()
    const request = { who: 'operator', workspace: 'none', workspaceId, permission: null } as const
    await expectAccessRules(instance, { ...request, method: 'GET', path })
    await expectAccessRules(instance, { ...request, method: 'PATCH', path, body: { id, disabled: 'true' } })
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      path,
      body: { username: 'By replay', password: SECRET },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      path: `${path}/password`,
      body: { id, password: SECRET },
    })
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
