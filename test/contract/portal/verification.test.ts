import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hashPassword, setPassword } from '@reeve/auth'
import { anonymousActor } from '@reeve/core'
import { statement } from '@reeve/db'
import { listRoutes, toCurrentName } from '../../security/routes.ts'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { enrolAuthenticator, TOTP_STEP_MS } from '../../support/totp.ts'

setDefaultTimeout(60_000)

const MINUTE = 60_000

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let username: string
let ipCount = 0
const nextIp = () => `198.51.${Math.floor(++ipCount / 250)}.${(ipCount % 250) + 1}`
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  const me = await instance.request('GET', '/portal/api/me', { session: workspace.ownerSession })
  username = me.body.account.username
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** A session that was started with a password just now. */
const signIn = async (name = username): Promise<string> =>
  readSessionToken(
    await instance.request('POST', '/portal/api/sign-in', {
      body: { username: name, password: PASSWORD },
      from: nextIp(),
    }),
  )
const createKey = (session: string): Promise<TestResponse> =>
  instance.request('POST', '/portal/api/api-keys', {
    session,
    body: { workspaceId: workspace.id, name: 'Game', permissions: '["moderation.view"]' },
  })
const verify = (session: string, body: object, from = nextIp()): Promise<TestResponse> =>
  instance.request('POST', '/portal/api/verification', { session, body, from })
const outcome = ({ status, body }: TestResponse) => [status, body.reason ?? body.code]

/** Every action that an unattended browser is not enough for. Actions of `POST /api/workspaces` are below. */
const SENSITIVE = [
  'DELETE /portal/api/archive',
  'DELETE /portal/api/factors/totp',
  'DELETE /portal/api/roles',
  'GET /portal/api/archive',
  'GET /portal/api/audit.csv',
  'GET /portal/api/moderation.csv',
  'GET /portal/api/usage.csv',
  'GET /portal/api/verification',
  'PATCH /portal/api/roles',
  'PATCH /portal/api/second-factor-policy',
  'POST /api/_workspace-permissions',
  'POST /api/workspaces',
  'POST /portal/api/api-keys',
  'POST /portal/api/api-keys/revoke',
  'POST /portal/api/api-keys/rotate',
  'POST /portal/api/archive/download',
  'POST /portal/api/deleted-members/blank-name',
  'POST /portal/api/factors/recovery-codes',
  'POST /portal/api/factors/totp',
  'POST /portal/api/factors/totp/confirm',
  'POST /portal/api/ownership',
  'POST /portal/api/roles',
  'POST /portal/api/roles/permissions',
  'POST /portal/api/roles/ranks',
  'POST /portal/api/workspace/delete',
]

describe('which actions', () => {
  test('need a verification is listed, with every export and every write of operators', () => {
    const routes = listRoutes(instance)
    const names = routes.filter(({ rule }) => rule?.requiresVerification).map(toCurrentName)
    const ofMembers = names.filter((name) => !name.includes('/admin/'))
    expect(ofMembers).toEqual(expect.arrayContaining(SENSITIVE))
    const writes = routes.filter(({ method, path }) => path.startsWith('/admin/') && method !== 'GET')
    expect(writes.length).toBeGreaterThan(3)
    for (const { name } of writes) expect(names).toContain(name)
    for (const { name, path } of routes.filter(({ path }) => path.endsWith('.csv')))
      expect([path, names.includes(name)]).toEqual([path, true])
  })

  test('are rejected ten minutes after the sign-in, and nothing else is', async () => {
    await instance.account('Operator', true)
    const session = await signIn()
    const operatorSession = await signIn('Operator')
    instance.clock.advance(10 * MINUTE)
    for (const { method, path, rule, name } of listRoutes(instance)) {
      if (rule?.requiresVerification !== true) continue
      const id = workspace.id
      const { status, body } = await instance.request(
        method,
        method === 'GET' || method === 'DELETE' ? `${path}?workspaceId=${id}` : path,
        {
          session: rule.caller === 'operator' ? operatorSession : session,
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: { workspaceId: id } }),
        },
      )
      expect([name, status, body?.reason]).toEqual([name, 403, 'verification_required'])
    }
    const rename = { id: workspace.id, action: 'rename', groupName: 'Renamed' }
    const change = (body: object) => instance.request('POST', '/api/workspaces', { session, body })
    expect((await change(rename)).status).toBe(200)
    for (const action of ['archive', 'restore'])
      expect(outcome(await change({ id: workspace.id, action }))).toEqual([403, 'verification_required'])
    expect(outcome(await change({ fromArchive: workspace.id }))).toEqual([403, 'verification_required'])
  })

  test('include granting roles, to a member or with an invitation, but not taking them away', async () => {
    const { id } = workspace
    const { accountId } = await instance.member(id, ['moderation.view'])
    const roleIds = await instance.role(id, ['moderation.ban'])
    const session = await signIn()
    const setRoles = (ids: string) =>
      instance.request('PATCH', '/portal/api/members', {
        session,
        body: { workspaceId: id, accountId, roleIds: ids },
      })
    const invite = (fields: object) =>
      instance.request('POST', '/portal/api/invitations', { session, body: { workspaceId: id, ...fields } })
    instance.clock.advance(10 * MINUTE)
    expect(outcome(await setRoles(roleIds))).toEqual([403, 'verification_required'])
    expect(outcome(await invite({ roleIds }))).toEqual([403, 'verification_required'])
    expect([(await setRoles('')).status, (await invite({})).status]).toEqual([200, 200])
    await verify(session, { password: PASSWORD })
    expect([(await setRoles(roleIds)).status, (await invite({ roleIds })).status]).toEqual([200, 200])
  })

  test('need none with an API key', async () => {
    instance.clock.advance(60 * MINUTE)
    const archived = await instance.request('POST', '/api/workspaces', {
      key: workspace.key,
      body: { id: workspace.id, action: 'archive' },
    })
    expect(archived.status).toBe(200)
  })
})

describe('a verification', () => {
  test('is needed ten minutes after the sign-in, and lasts ten minutes', async () => {
    const session = await signIn()
    instance.clock.advance(10 * MINUTE - 1)
    expect((await createKey(session)).status).toBe(200)
    instance.clock.advance(1)
    expect(outcome(await createKey(session))).toEqual([403, 'verification_required'])
    const verified = await verify(session, { password: PASSWORD })
    expect(verified.body).toEqual({
      verifiedUntil: new Date(instance.clock.now() + 10 * MINUTE).toISOString(),
    })
    expect((await createKey(session)).status).toBe(200)
    instance.clock.advance(10 * MINUTE)
    expect(outcome(await createKey(session))).toEqual([403, 'verification_required'])
  })

  test('applies to its own session only', async () => {
    const [session, other] = [await signIn(), await signIn()]
    instance.clock.advance(10 * MINUTE)
    await verify(session, { password: PASSWORD })
    expect((await createKey(session)).status).toBe(200)
    expect(outcome(await createKey(other))).toEqual([403, 'verification_required'])
  })

  test('with a wrong password changes nothing and counts as a failed sign-in', async () => {
    const session = await signIn()
    instance.clock.advance(10 * MINUTE)
    const from = nextIp()
    const wrong = await verify(session, { password: 'not the password' }, from)
    expect([wrong.status, wrong.body.details]).toEqual([
      400,
      [{ field: 'password', message: 'is not your current password' }],
    ])
    expect(outcome(await createKey(session))).toEqual([403, 'verification_required'])
    for (let count = 0; count < 9; count++) await verify(session, { password: 'not the password' }, from)
    expect((await verify(session, { password: PASSWORD }, from)).status).toBe(429)
  })

  test('of an account with a second factor needs that, not the password', async () => {
    const app = await enrolAuthenticator(instance, workspace.ownerSession)
    const session = workspace.ownerSession
    const rejected = await verify(session, { password: PASSWORD })
    expect([rejected.status, rejected.body.details]).toEqual([
      400,
      [{ field: 'password', message: 'is not enough: use a second factor of your account' }],
    ])
    const code = app.showCode()
    expect((await verify(session, { code })).status).toBe(200)
    expect((await verify(session, { code })).status).toBe(400)
    expect((await verify(session, { recoveryCode: app.recoveryCodes[0] })).status).toBe(200)
    expect((await verify(session, { recoveryCode: app.recoveryCodes[0] })).status).toBe(400)
  })

  test('is also needed to change the password of an account with a second factor', async () => {
    const app = await enrolAuthenticator(instance, workspace.ownerSession)
    const pending = await instance.request('POST', '/portal/api/sign-in', {
      body: { username, password: PASSWORD },
      from: nextIp(),
    })
    const session = readSessionToken(
      await instance.request('POST', '/portal/api/sign-in/second-factor', {
        body: { token: pending.body.secondFactor.token, code: app.showCode() },
        from: nextIp(),
      }),
    )
    instance.clock.advance(10 * MINUTE)
    const change = () =>
      instance.request('POST', '/portal/api/password', {
        session,
        body: { currentPassword: PASSWORD, newPassword: 'another long secret' },
      })
    expect(outcome(await change())).toEqual([403, 'verification_required'])
    expect((await verify(session, { code: app.showCode() })).status).toBe(200)
    expect((await change()).status).toBe(200)
    instance.clock.advance(TOTP_STEP_MS)
  })

  test.each([
    ['the password', PASSWORD],
    ['a wrong password', 'not the password'],
  ])('with %s, finds the session ended if the password is changed meanwhile', async (_, password) => {
    const { db, ports } = instance
    const change = (passwordHash: string) =>
      db.write((tx) => setPassword(tx, ports, anonymousActor, { accountId: workspace.ownerId, passwordHash }))
    // A hash as the server stores it, which takes long enough to verify.
    await change(await hashPassword(PASSWORD))
    const session = await signIn()
    instance.clock.advance(10 * MINUTE)
    const from = nextIp()
    const passwordHash = await hashPassword('another long secret')
    const listAttempts = statement<{ from: string }>()((sql, p) =>
      sql.selectFrom('sign_in_attempt').select('id').where('address', '=', p.from),
    )
    const verifying = verify(session, { password }, from)
    // Once the attempt is recorded, the account has been read and its password is being verified.
    while (!(await db.read.first(listAttempts, { from }))) await db.write(async () => null)
    await change(passwordHash)
    expect(outcome(await verifying)).toEqual([401, 'invalid_session'])
  })
})
