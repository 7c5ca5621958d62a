import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { reportSignInFailure, type SignInFailure } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

/** A thousand entries in the audit log. */
setDefaultTimeout(60_000)

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const FROM = '198.51.100.7'
const signIn = (username: string, password: string, from = FROM) =>
  instance.request('POST', '/portal/api/sign-in', { body: { username, password }, from })

const failedSignIns = statement()((sql) =>
  sql.selectFrom('audit').selectAll().where('action', '=', 'accounts.sign_in_failed').orderBy('sequence'),
)
const listFailures = async () =>
  (await instance.db.read.all(failedSignIns, {})).map(({ target_kind, target_id, changes, address }) => ({
    target: [target_kind, target_id],
    reason: /"reason":\[?"?([a-z_]+)/.exec(changes ?? '')?.[1] ?? changes,
    address,
  }))

test('a failed sign-in is in the audit log, with the account, the IP address and the reason', async () => {
  const id = await instance.account('Robin')
  await signIn('Robin', 'not the password')
  expect(await listFailures()).toEqual([{ target: ['account', id], reason: 'wrong_password', address: FROM }])
})

test('of a name that no account has, only a hash is stored, the same one every time', async () => {
  const before = (await listFailures()).length
  await signIn('the password of somebody', 'x')
  await signIn('The Password of Somebody', 'y')
  const [one, other] = (await listFailures()).slice(before)
  expect(one?.target[0]).toBe('username')
  expect(one?.target[1]).toMatch(/^hash:[0-9a-f]{16}$/)
  expect(one?.target).toEqual(other?.target as string[])
  const unkeyed = createHmac('sha256', '').update('the password of somebody').digest('hex').slice(0, 16)
  expect(one?.target[1]).not.toContain(unkeyed)
})

test('names that no account has add at most 1,000 entries an hour', async () => {
  const { db, ports } = instance
  const before = (await listFailures()).length
  const log: SignInFailure[] = []
  const app = { db, ports, onSignInFailure: (failure: SignInFailure) => log.push(failure) }
  const fail = (index: number) =>
    reportSignInFailure(app, anonymousActor, {
      reason: 'unknown_username',
      username: `guess ${index}`,
      account: undefined,
    })
  instance.clock.advance(60 * 60_000)
  for (let index = 0; index < 1010; index++) await fail(index)
  expect((await listFailures()).length).toBe(before + 1000)
  expect(log).toHaveLength(1010)
  instance.clock.advance(60 * 60_000)
  await fail(0)
  expect((await listFailures()).length).toBe(before + 1001)
})

test('a disabled account is named with its reason, and a rejected attempt is not recorded', async () => {
  const id = await instance.account('Disabled')
  const operator = await instance.session(await instance.account('Operator', true))
  await instance.request('PATCH', '/admin/api/accounts', {
    session: operator,
    body: { id, disabled: 'true' },
  })
  const before = (await listFailures()).length
  await signIn('Disabled', PASSWORD, '203.0.113.20')
  for (let count = 0; count < 12; count++) await signIn('Disabled', 'not the password', '203.0.113.21')
  const failures = (await listFailures()).slice(before)
  expect(failures.map(({ reason }) => reason)).toEqual([
    'account_disabled',
    ...Array(10).fill('wrong_password'),
  ])
})

test('a wrong code of a second factor is reported with the account', async () => {
  const id = await instance.account('Guarded')
  await enrolAuthenticator(instance, await instance.session(id))
  const before = (await listFailures()).length
  const { token } = (await signIn('Guarded', PASSWORD, '203.0.113.30')).body.secondFactor
  for (const proof of [{ code: '000000' }, { recoveryCode: 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA' }])
    await instance.request('POST', '/portal/api/sign-in/second-factor', {
      body: { token, ...proof },
      from: '203.0.113.30',
    })
  const failures = (await listFailures()).slice(before)
  expect(failures).toEqual(
    Array(2).fill({ target: ['account', id], reason: 'wrong_code', address: '203.0.113.30' }),
  )
})
