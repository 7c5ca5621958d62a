import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import {
  type Instance,
  openInstance,
  PASSWORD,
  type TestResponse,
  UNKNOWN_ID,
} from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { expectRejectedUnchanged, readStoredRows } from '../../support/stored-rows.ts'
import { enrolAuthenticator } from '../../support/totp.ts'
import { holdWrites } from '../../support/write-queue.ts'
import { type AccountRequests, openAccountRequests } from './operator-account-requests.ts'

let instance: Instance
let requests: AccountRequests
const SECRET = 'four words that I chose'
const MINUTE = 60_000

beforeAll(async () => {
  instance = await openInstance()
  ;({ requests } = await openAccountRequests(instance))
})
afterAll(() => instance.close())

let ipCount = 0
/** A new IP address for each request, so that tests do not throttle each other. */
const fromElsewhere = () => ({ from: `198.51.100.${++ipCount}` })

const createToken = async (id: string): Promise<string> => (await requests.createLink({ id })).body.link.token
const setPassword = (token: string, password = SECRET) =>
  requests.setPassword(token, password, fromElsewhere())
const expectUnusable = async (token: string) => {
  const responses = [await requests.readLink(token, fromElsewhere()), await setPassword(token)]
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'not_found'],
    [404, 'not_found'],
  ])
  return responses[0] as TestResponse
}

describe('a password link', () => {
  test('replaces the password, ends every session of the account, and is not set by the operator', async () => {
    const id = await instance.account('Forgetful')
    const session = await instance.session(id)
    const token = await createToken(id)
    // Until it is used, nothing changes.
    expect((await requests.readSession(session)).status).toBe(200)
    expect((await requests.signIn('Forgetful', PASSWORD)).status).toBe(200)
    const response = await setPassword(token)
    expect(response.body).toMatchObject({ account: { id }, secondFactor: null })
    expect((await requests.readSession(readSessionToken(response))).status).toBe(200)
    expect((await requests.readSession(session)).body.reason).toBe('invalid_session')
    expect((await requests.signIn('Forgetful', PASSWORD)).status).toBe(401)
    expect((await requests.signIn('Forgetful', SECRET)).status).toBe(200)
    const actions = statement<{ id: string }>()((sql, p) =>
      sql
        .selectFrom('audit')
        .select(['action', 'actor_id'])
        .where('target_id', '=', p.id)
        .where('action', '=', 'accounts.set_password'),
    )
    expect(await instance.db.read.all(actions, { id })).toEqual([
      { action: 'accounts.set_password', actor_id: id },
    ])
  })

  test('works once, also for two people at the same time', async () => {
    const id = await instance.account('Once')
    const token = await createToken(id)
    const held = await holdWrites(instance.db)
    const racing = ['one of two passwords', 'other of two passwords'].map((password) =>
      setPassword(token, password),
    )
    await held.untilWaiting(2)
    await held.release()
    const responses = await Promise.all(racing)
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await expectUnusable(token)).body.error).toBe(
      'This link has expired, was already used, or was replaced by a newer one. Ask for a new one.',
    )
  })

  test('expires after 30 minutes, and is replaced by a newer one', async () => {
    const id = await instance.account('Slow')
    const token = await createToken(id)
    instance.clock.advance(30 * MINUTE - 1)
    expect((await requests.readLink(token, fromElsewhere())).body).toEqual({ username: 'Slow' })
    instance.clock.advance(1)
    await expectUnusable(token)
    const replaced = await createToken(id)
    const newer = await createToken(id)
    await expectUnusable(replaced)
    expect((await setPassword(newer)).status).toBe(200)
  })

  test('of an account that was disabled since is unusable, and none is created for a disabled one', async () => {
    const id = await instance.account('Disabled since')
    const token = await createToken(id)
    await requests.change(id, { disabled: 'true' })
    await expectUnusable(token)
    expect(await expectRejectedUnchanged(instance, () => requests.createLink({ id }))).toMatchObject({
      status: 409,
      error: 'This account is disabled. Enable it first.',
    })
  })

  test('refuses a weak password, and is not used up by it', async () => {
    const token = await createToken(await instance.account('Weak'))
    const response = await setPassword(token, 'password123')
    expect([response.status, response.body.details[0].field]).toEqual([400, 'password'])
    expect((await setPassword(token)).status).toBe(200)
  })

  test('sets the password of an account with a second factor, which is still asked for', async () => {
    const id = await instance.account('Guarded')
    const session = await instance.session(id)
    await enrolAuthenticator(instance, session)
    const response = await setPassword(await createToken(id))
    expect(response.body).toMatchObject({
      account: null,
      secondFactor: { factors: ['totp', 'recovery_code'] },
    })
    expect(response.headers.getSetCookie()).toEqual([])
    expect((await requests.readSession(session)).body.reason).toBe('invalid_session')
  })

  test('forgets the browsers that were known to the account', async () => {
    await instance.account('Moved')
    const { id } = (await requests.list({ q: 'Moved' })).body.accounts[0]
    const signedIn = await requests.signIn('Moved', PASSWORD)
    const device = /reeve_device=([^;]*)/.exec(signedIn.headers.getSetCookie().join('; '))?.[1] ?? ''
    await setPassword(await createToken(id))
    const known = statement<{ id: string }>()((sql, p) =>
      sql.selectFrom('known_device').select('token_hash').where('account_id', '=', p.id),
    )
    const hash = new Bun.CryptoHasher('sha256').update(device).digest('hex')
    const hashes = (await instance.db.read.all(known, { id })).map(({ token_hash }) => token_hash)
    expect(hashes).toHaveLength(1)
    expect(hashes).not.toContain(hash)
  })

  test('is created for existing accounts only, and is stored nowhere', async () => {
    expect(
      await expectRejectedUnchanged(instance, () => requests.createLink({ id: UNKNOWN_ID })),
    ).toMatchObject({
      status: 404,
    })
    const id = await instance.account('Unstored')
    const headers = { 'idempotency-key': 'once' }
    for (const step of [
      () => requests.createLink({ id }, { headers }),
      () => requests.create({ username: 'Never' }, { headers }),
    ]) {
      const rejected = await expectRejectedUnchanged(instance, step)
      expect([rejected.status, rejected.details[0].field]).toEqual([400, 'Idempotency-Key'])
    }
    const token = await createToken(id)
    expect(JSON.stringify(await readStoredRows(instance))).not.toContain(token)
  })

  test('cannot be guessed: ten unusable tokens block an IP address for 15 minutes', async () => {
    const id = await instance.account('Guessed')
    const token = await createToken(id)
    const from = '203.0.113.77'
    for (let count = 0; count < 10; count++) await requests.readLink(`guess ${count}`, { from })
    expect((await requests.readLink(token, { from })).status).toBe(429)
    expect((await requests.readLink(token, fromElsewhere())).status).toBe(200)
  })
})
