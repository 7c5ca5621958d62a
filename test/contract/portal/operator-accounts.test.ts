import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountIdentityTable, insertAll, type PasskeyTable, statement } from '@reeve/db'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type TestResponse, UNKNOWN_ID } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'
import { holdWrites } from '../../support/write-queue.ts'
import {
  type AccountRequests,
  type OperatorSession,
  openAccountRequests,
  PATH,
} from './operator-account-requests.ts'

const insertIdentity = statement<AccountIdentityTable>()((sql, p) => insertAll(sql, 'account_identity', p))
const deleteIdentities = statement()((sql) => sql.deleteFrom('account_identity'))
const insertPasskey = statement<PasskeyTable>()((sql, p) => insertAll(sql, 'passkey', p))
const verifyPasskeys = statement()((sql) => sql.updateTable('passkey').set({ has_verified_user: 1 }))
const deletePasskeys = statement()((sql) => sql.deleteFrom('passkey'))

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
      hasSecondFactor: 'false',
    })
    expect(workspaces).toEqual([{ id: workspace.id, groupName: expect.any(String), isOwner: 'true' }])
    expect((await requests.list({ id: idle })).body.account).toMatchObject({
      lastSeenAt: null,
      workspaces: '0',
      hasSecondFactor: 'false',
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
  test('returns a link with which its owner sets a password, and is signed in', async () => {
    const { status, body } = await requests.create({ username: 'Fresh' })
    expect([status, body.account.username, body.account.isOperator]).toEqual([200, 'Fresh', 'false'])
    expect(body.link.expiresAt).toBe(new Date(instance.ports.now() + 30 * 60_000).toISOString())
    expect((await requests.readLink(body.link.token)).body).toEqual({ username: 'Fresh' })
    const signedIn = await requests.setPassword(body.link.token, SECRET)
    expect([signedIn.status, signedIn.body.account.username]).toEqual([200, 'Fresh'])
    expect((await requests.readSession(readSessionToken(signedIn))).status).toBe(200)
    expect((await requests.signIn('fresh', SECRET)).status).toBe(200)
    expect(await requests.readAuditActions(body.account.id)).toEqual([
      'accounts.create',
      'accounts.create_password_link',
    ])
  })

  test('can make it an operator at once', async () => {
    const { body } = await requests.create({ username: 'Deputy', isOperator: 'true' })
    const session = await instance.session(body.account.id)
    expect((await instance.request('GET', PATH, { session })).status).toBe(200)
    await requests.change(body.account.id, { isOperator: 'false' })
  })

  test('is a conflict if the name is taken, ignoring case, and names the missing and invalid fields', async () => {
    expect(await expectRejected(() => requests.create({ username: 'OPERATOR' }))).toMatchObject({
      status: 409,
    })
    const findRejectedFields = async (body: object) =>
      (await expectRejected(() => requests.create(body))).details.map(({ field }: { field: string }) => field)
    expect(await findRejectedFields({})).toEqual(['username'])
    expect(await findRejectedFields({ username: 'Poor', password: SECRET })).toEqual(['password'])
    expect(await findRejectedFields({ username: ' ' })).toEqual(['username'])
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

  test('always include one who has a password, a linked identity or a passkey that can sign in', async () => {
    const { body } = await requests.create({ username: 'Not here yet', isOperator: 'true' })
    const { id } = body.account
    const added = {
      account_id: id,
      name: 'Added',
      created_at: instance.ports.now(),
      last_used_at: null,
    }
    const identity = { ...added, issuer: 'https://id.example.com/', subject: '1', provider: 'example' }
    const passkey = {
      ...added,
      id: instance.ports.newId(),
      rp_id: 'reeve.example.com',
      credential_id: 'credential',
      public_key: new Uint8Array(1),
      counter: 0,
      transports: '[]',
      is_backed_up: 0,
      aaguid: '',
    }
    const removeOwnAccess = async () => {
      const { status } = await requests.change(operator.id, { isOperator: 'false' })
      if (status === 200)
        await requests.change(operator.id, { isOperator: 'true' }, await instance.session(id))
      return status
    }
    expect(await expectRejected(() => requests.change(operator.id, { isOperator: 'false' }))).toMatchObject({
      status: 409,
    })
    await instance.db.write((tx) => tx.run(insertIdentity, identity))
    expect(await removeOwnAccess()).toBe(200)
    await instance.db.write((tx) => tx.run(deleteIdentities, {}))
    await instance.db.write((tx) => tx.run(insertPasskey, { ...passkey, has_verified_user: 0 }))
    expect(await removeOwnAccess()).toBe(409)
    await instance.db.write((tx) => tx.run(verifyPasskeys, {}))
    expect(await removeOwnAccess()).toBe(200)
    await instance.db.write((tx) => tx.run(deletePasskeys, {}))
    expect(await removeOwnAccess()).toBe(409)
    await requests.setPassword(body.link.token, SECRET)
    expect(await removeOwnAccess()).toBe(200)
    await requests.change(id, { isOperator: 'false' })
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
      body: { username: 'By replay' },
    })
    await expectAccessRules(instance, {
      ...request,
      method: 'POST',
      path: `${PATH}/link`,
      body: { id: await instance.account() },
    })
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
