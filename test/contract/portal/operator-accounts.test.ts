import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, type Instance, NEVER_WAS, openInstance, PASSWORD } from '../../support/instance.ts'
import { refusedIn } from '../../support/refused.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'

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

const read = (query: Record<string, string> = {}) =>
  instance.call('GET', `${path}?${new URLSearchParams(query)}`, { session: operator.session })
const create = (body: object, more: object = {}): Promise<Answer> =>
  instance.call('POST', path, { session: operator.session, body, ...more })
const change = (id: string, body: object, session = operator.session): Promise<Answer> =>
  instance.call('PATCH', path, { session, body: { id, ...body } })
const reset = (body: object, more: object = {}): Promise<Answer> =>
  instance.call('POST', `${path}/password`, { session: operator.session, body, ...more })
const signIn = (username: string, password: string) =>
  instance.call('POST', '/portal/api/sign-in', { body: { username, password } })
const me = (session: string) => instance.call('GET', '/portal/api/me', { session })
const tokenIn = (answer: Answer): string =>
  /^reeve_session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
/** What the log of the instance holds about an account, oldest first. */
const logged = async (id: string) =>
  ((await stored(instance)).audit ?? [])
    .map((line) => JSON.parse(line))
    .filter((row) => row.target_id === id && row.actor_id === operator.id)
    .sort((one, other) => one.sequence - other.sequence)
    .map((row) => row.action)
const refused = (step: () => Promise<Answer>) => refusedIn(instance, step)

describe('the list', () => {
  test('is by username, in pages that hold every account once', async () => {
    for (const name of ['zora', 'Ännchen', 'abel']) await instance.account(name)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Answer = await read(cursor ? { limit: '2', cursor } : { limit: '2' })
      seen.push(...body.accounts.map(({ username }: { username: string }) => username))
      cursor = body.nextCursor
    }
    expect(seen).toEqual(['abel', 'Operator', 'zora', 'Ännchen'])
  })

  test('finds those whose name holds what was typed, ignoring case, and takes no sign for another', async () => {
    await instance.account('Per%cent_sign')
    const names = async (q: string) =>
      (await read({ q })).body.accounts.map(({ username }: { username: string }) => username)
    expect(await names('ÄNN')).toEqual(['Ännchen'])
    expect(await names('%')).toEqual(['Per%cent_sign'])
    expect(await names('r_')).toEqual([])
    expect(await names('nobody at all')).toEqual([])
  })

  test('shows of each what it is, since when, when it was last there and in how many workspaces', async () => {
    const workspace = await instance.workspace()
    const idle = await instance.account('Idle')
    const { account, workspaces } = (await read({ id: workspace.ownerId })).body
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
    expect((await read({ id: idle })).body.account).toMatchObject({ lastSeenAt: null, workspaces: '0' })
    expect((await read({ id: NEVER_WAS })).status).toBe(404)
  })

  test('shows operators alone, or disabled ones alone', async () => {
    const off = await instance.account('Switched off')
    await change(off, { disabled: 'true' })
    const ids = async (query: Record<string, string>) =>
      (await read(query)).body.accounts.map(({ id }: { id: string }) => id)
    expect(await ids({ operators: 'true' })).toEqual([operator.id])
    expect(await ids({ disabled: 'true' })).toEqual([off])
    expect(await ids({ disabled: 'true', operators: 'true' })).toEqual([])
  })

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from(JSON.stringify(['members', 'a'])).toString('base64url')
    expect((await read({ cursor })).body.details[0].field).toBe('cursor')
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
    expect((await instance.call('GET', path, { session })).status).toBe(200)
    await change(body.account.id, { isOperator: 'false' })
  })

  test('a taken name is a conflict, ignoring case; what is missing or poor is named', async () => {
    expect(await refused(() => create({ username: 'OPERATOR', password: SECRET }))).toMatchObject({
      status: 409,
    })
    const named = async (body: object) =>
      (await refused(() => create(body))).details.map(({ field }: { field: string }) => field)
    expect(await named({})).toEqual(['username', 'password'])
    expect(await named({ username: 'Poor', password: 'password123' })).toEqual(['password'])
    expect(await named({ username: ' ', password: SECRET })).toEqual(['username'])
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
    expect(await refused(() => reset({ id: NEVER_WAS, password: SECRET }))).toMatchObject({ status: 404 })
    expect((await refused(() => reset({}))).details).toHaveLength(2)
    const poor = await refused(() => reset({ id: operator.id, password: 'short' }))
    expect(poor.details[0].field).toBe('password')
  })

  test('is stored nowhere, and neither route keeps it for a repeat', async () => {
    const headers = { 'idempotency-key': 'once' }
    const planted = 'the-secret-that-leaks'
    const id = await instance.account('Planted')
    for (const step of [
      () => create({ username: 'Never', password: planted }, { headers }),
      () => reset({ id, password: planted }, { headers }),
    ]) {
      const answer = await refused(step)
      expect([answer.status, answer.details[0].field]).toEqual([400, 'Idempotency-Key'])
    }
    await reset({ id, password: planted })
    expect(JSON.stringify(await stored(instance))).not.toContain(planted)
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
    expect(right.body.error).toBe('This account is disabled; ask whoever runs this instance.')
    expect((await change(id, { disabled: 'false' })).body.account.status).toBe('active')
    expect((await signIn('On leave', PASSWORD)).status).toBe(200)
    expect(await logged(id)).toEqual(['accounts.disable', 'accounts.enable'])
  })

  test('is told only to whoever knows the password', async () => {
    const id = await instance.account('Hidden')
    await change(id, { disabled: 'true' })
    const wrong = await signIn('Hidden', 'not the password')
    const never = await signIn('never was', 'not the password')
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...never.body, requestId: '' })
  })

  test('holds against a sign-in under way', async () => {
    const id = await instance.account('Raced')
    const [answer] = await Promise.all([signIn('Raced', PASSWORD), change(id, { disabled: 'true' })])
    const session = tokenIn(answer)
    if (session) expect((await me(session)).status).toBe(401)
    expect((await signIn('Raced', PASSWORD)).status).toBe(401)
  })

  test('leaves what the account has made: its workspaces and their keys go on', async () => {
    const workspace = await instance.workspace()
    await change(workspace.ownerId, { disabled: 'true' })
    const answer = await instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    expect(answer.status).toBe(200)
  })

  test('keeps the moment it began, whatever is changed meanwhile', async () => {
    const id = await instance.account('Long gone')
    const first = (await change(id, { disabled: 'true' })).body.account.disabledAt
    instance.clock.advance(60_000)
    expect((await change(id, { disabled: 'true', isOperator: 'false' })).body.account.disabledAt).toBe(first)
  })

  test('of oneself is a conflict', async () => {
    const other = await instance.account('Second operator', true)
    expect(await refused(() => change(operator.id, { disabled: 'true' }))).toMatchObject({ status: 409 })
    await change(other, { isOperator: 'false' })
  })
})

describe('operators', () => {
  test('are made and unmade, from the next request on', async () => {
    const id = await instance.account('Promoted')
    const session = await instance.session(id)
    const allowed = async () => (await instance.call('GET', path, { session })).status
    expect(await allowed()).toBe(403)
    expect((await change(id, { isOperator: 'true' })).body.account.isOperator).toBe('true')
    expect(await allowed()).toBe(200)
    await change(id, { isOperator: 'false' })
    expect(await allowed()).toBe(403)
    expect(await logged(id)).toEqual(['accounts.make_operator', 'accounts.unmake_operator'])
  })

  test('there is always one who can sign in', async () => {
    expect(await refused(() => change(operator.id, { isOperator: 'false' }))).toMatchObject({ status: 409 })
    const other = await instance.account('Other operator', true)
    await change(other, { disabled: 'true' })
    // One who cannot sign in is none.
    expect(await refused(() => change(operator.id, { isOperator: 'false' }))).toMatchObject({ status: 409 })
    await change(other, { disabled: 'false' })
    expect((await change(operator.id, { isOperator: 'false' })).status).toBe(200)
    const session = await instance.session(other)
    expect((await change(operator.id, { isOperator: 'true' }, session)).status).toBe(200)
    await change(other, { isOperator: 'false' })
  })

  test('two who unmake each other at the same time leave one', async () => {
    const at = await openInstance()
    const [one, other] = [await at.account('Rival', true), await at.account('Other', true)]
    const unmakes = async (who: string, whom: string) =>
      at.call('PATCH', path, {
        session: await at.session(who),
        body: { id: whom, isOperator: 'false' },
      })
    const answers = await Promise.all([unmakes(one, other), unmakes(other, one)])
    const statuses = answers.map(({ status }) => status)
    // Whoever comes second is the last one, or none any more.
    expect(statuses.toSorted()).toEqual([200, statuses.includes(403) ? 403 : 409])
    expect(await at.place.ask('select id from account where is_operator = 1')).toHaveLength(1)
    await at.close()
  })

  test('a change of nothing is refused, and of an account that never was too', async () => {
    const nothing = await refused(() => change(operator.id, {}))
    expect([nothing.status, nothing.details[0].field]).toEqual([400, 'isOperator'])
    expect(await refused(() => change(NEVER_WAS, { disabled: 'true' }))).toMatchObject({ status: 404 })
  })
})

describe('who may', () => {
  test('operators alone, by session', async () => {
    const { id: workspaceId } = await instance.workspace()
    const id = await instance.account()
    const request = { who: 'operator', workspace: 'none', workspaceId, permission: null } as const
    await replay(instance, { ...request, method: 'GET', path })
    await replay(instance, { ...request, method: 'PATCH', path, body: { id, disabled: 'true' } })
    await replay(instance, {
      ...request,
      method: 'POST',
      path,
      body: { username: 'By replay', password: SECRET },
    })
    await replay(instance, {
      ...request,
      method: 'POST',
      path: `${path}/password`,
      body: { id, password: SECRET },
    })
  })

  test('nothing that was refused was our own failure', () => {
    expect(instance.failures).toEqual([])
  })
})
