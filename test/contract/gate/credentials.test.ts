import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseIpRange } from '@reeve/auth'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const readDepartments = (options: RequestOptions, target = instance) =>
  target.request('GET', `/api/departments?workspaceId=${workspace.id}`, options)

let names = 0
const write = (options: RequestOptions) =>
  instance.request('POST', `/api/departments?workspaceId=${workspace.id}`, {
    body: { name: `department ${++names}` },
    ...options,
  })

const outcome = ({ status, body }: Awaited<ReturnType<typeof readDepartments>>) => [
  status,
  body?.reason ?? body?.code,
]

describe('bearer token and cookie', () => {
  test('each is sufficient on its own', async () => {
    expect((await readDepartments({ key: workspace.key })).status).toBe(200)
    expect((await readDepartments({ session: workspace.ownerSession })).status).toBe(200)
  })

  test('a bearer token takes precedence over a cookie, whatever their permissions', async () => {
    const poorKey = await instance.key(workspace.id, ['moderation.view'])
    const both = await readDepartments({ key: poorKey, session: workspace.ownerSession })
    expect(outcome(both)).toEqual([403, 'missing_permission'])
    const poorSession = (await instance.member(workspace.id, [])).session
    expect((await readDepartments({ key: workspace.key, session: poorSession })).status).toBe(200)
    expect((await readDepartments({ key: workspace.key, session: 'junk' })).status).toBe(200)
  })

  test('a malformed Authorization header is rejected and never falls back to the cookie', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      workspace.key,
      `Basic ${workspace.key}`,
      `Token ${workspace.key}`,
      `Bearer ${workspace.key} ${workspace.key}`,
      `Bearer "${workspace.key}"`,
      `Bearer ${workspace.key}.`,
      `Bearer ${workspace.key.toLowerCase()}`,
      `Bearer ${workspace.ownerSession}`,
    ]) {
      const response = await readDepartments({ session: workspace.ownerSession, headers: { authorization } })
      expect([authorization, ...outcome(response)]).toEqual([authorization, 401, 'invalid_key'])
      const isBearer = /^Bearer \S+$/.test(authorization)
      expect(response.body.error).toBe(
        isBearer
          ? 'Unknown API key; check that you copied all of it.'
          : 'Send the API key as Authorization: Bearer <key>.',
      )
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('the Bearer scheme is case-insensitive', async () => {
    expect((await readDepartments({ headers: { authorization: `bearer ${workspace.key}` } })).status).toBe(
      200,
    )
  })

  test('an API key in the cookie and a cookie of another name are not credentials', async () => {
    expect(outcome(await readDepartments({ session: workspace.key }))).toEqual([401, 'invalid_session'])
    const cookie = `session=${workspace.ownerSession}`
    expect(outcome(await readDepartments({ headers: { cookie } }))).toEqual([401, 'missing_credentials'])
    expect(outcome(await readDepartments({ headers: { cookie: 'reeve_session=' } }))).toEqual([
      401,
      'missing_credentials',
    ])
  })

  test('a malformed Cookie header is a 401', async () => {
    for (const cookie of [
      'reeve_session',
      '=;;=',
      'reeve_session=%E0%A4%A',
      `reeve_session="${'x'.repeat(5000)}"`,
    ])
      expect((await readDepartments({ headers: { cookie } })).status).toBe(401)
  })

  test('an error response never contains the credential', async () => {
    const plantedKey = 'rve_PLANTEDsecretPLANTED'
    const response = await readDepartments({
      key: plantedKey,
      headers: { cookie: `reeve_session=${plantedKey}` },
    })
    expect(response.status).toBe(401)
    expect(response.text + JSON.stringify([...response.headers])).not.toContain(plantedKey)
  })
})

describe('cross-site requests', () => {
  const own = { origin: 'http://localhost:3000' }

  test('a write with a cookie needs a same-origin header from the browser', async () => {
    const session = workspace.ownerSession
    const cookie = `reeve_session=${session}`
    expect(outcome(await write({ headers: { cookie } }))).toEqual([403, 'cross_site_request'])
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', ...own },
      { origin: 'http://localhost:3001' },
      { origin: 'https://localhost:3000' },
      { origin: 'http://localhost:3000.evil.example' },
      { origin: 'null' },
    ])
      expect(outcome(await write({ session, headers }))).toEqual([403, 'cross_site_request'])
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, own])
      expect((await write({ session, headers })).status).toBe(200)
  })

  test('reads with a cookie and all requests with an API key need no such header', async () => {
    const session = workspace.ownerSession
    expect((await readDepartments({ session, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
    expect((await write({ key: workspace.key, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
      200,
    )
  })
})

describe('IP addresses', () => {
  const PROXY = '10.0.0.1'
  const INSIDE = '203.0.113.9'

  /** Opens an instance with these trusted proxies and an API key that is limited to one network. */
  async function withKey(trusted: readonly string[]) {
    const ranges = trusted.map(parseIpRange).filter((range) => range !== null)
    const target = await openInstance({ trustedProxies: ranges })
    const proxyWorkspace = await target.workspace()
    const key = await target.key(proxyWorkspace.id, ['departments.view'], {
      allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
    })
    const requestFrom = (from: string, forwarded?: string) =>
      target.request('GET', `/api/departments?workspaceId=${proxyWorkspace.id}`, {
        key,
        from,
        ...(forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }),
      })
    return { requestFrom, close: () => target.close() }
  }

  test('an API key works from its allowed addresses only, including IPv4-mapped IPv6', async () => {
    const { requestFrom, close } = await withKey([])
    for (const from of [INSIDE, '::ffff:203.0.113.9', '2001:db8:1::1'])
      expect((await requestFrom(from)).status).toBe(200)
    for (const from of ['203.0.114.1', '2001:db9::1', '::1', '', 'unknown'])
      expect(outcome(await requestFrom(from))).toEqual([403, 'address_not_allowed'])
    await close()
  })

  test('X-Forwarded-For is ignored unless a trusted proxy sent it', async () => {
    const { requestFrom, close } = await withKey([])
    expect(outcome(await requestFrom('198.51.100.1', INSIDE))).toEqual([403, 'address_not_allowed'])
    expect((await requestFrom(INSIDE, '198.51.100.1')).status).toBe(200)
    await close()
    const requestBehindProxy = await withKey(['10.0.0.0/8'])
    expect(outcome(await requestBehindProxy.requestFrom('198.51.100.1', INSIDE))).toEqual([
      403,
      'address_not_allowed',
    ])
    await requestBehindProxy.close()
  })

  test('behind trusted proxies, the last untrusted address in X-Forwarded-For counts', async () => {
    const { requestFrom, close } = await withKey(['10.0.0.0/8', 'fd00::/8'])
    expect((await requestFrom(PROXY, INSIDE)).status).toBe(200)
    expect((await requestFrom(PROXY, `198.51.100.1, ${INSIDE}`)).status).toBe(200)
    expect((await requestFrom(PROXY, `198.51.100.1,${INSIDE} , 10.9.9.9`)).status).toBe(200)
    expect((await requestFrom('fd00::1', '2001:db8::7')).status).toBe(200)
    expect((await requestFrom('::ffff:10.0.0.1', INSIDE)).status).toBe(200)
    // The client itself can only add addresses further to the left.
    expect(outcome(await requestFrom(PROXY, `${INSIDE}, 198.51.100.1`))).toEqual([403, 'address_not_allowed'])
    await close()
  })

  test('with an invalid X-Forwarded-For, the address of the proxy counts', async () => {
    const { requestFrom, close } = await withKey(['10.0.0.0/8'])
    for (const chain of [
      'unknown',
      `${INSIDE}, unknown`,
      '',
      ',',
      '0xcb.0.113.9',
      '3405803785',
      `${INSIDE}:port`,
    ])
      expect(outcome(await requestFrom(PROXY, chain))).toEqual([403, 'address_not_allowed'])
    await close()
  })

  test('with an X-Forwarded-For that has ports, the address of the client counts', async () => {
    const { requestFrom, close } = await withKey(['10.0.0.0/8'])
    expect((await requestFrom(PROXY, `${INSIDE}:51324`)).status).toBe(200)
    await close()
  })
})

describe('cached credentials', () => {
  test('a cached API key is rejected from the moment it expires', async () => {
    const key = await instance.key(workspace.id, ['departments.view'], {
      expiresAt: instance.clock.now() + 60_000,
    })
    expect((await readDepartments({ key })).status).toBe(200)
    instance.clock.advance(60_000)
    expect(outcome(await readDepartments({ key }))).toEqual([401, 'key_expired'])
  })

  test('time and address of the last use of an API key are stored', async () => {
    const key = await instance.key(workspace.id, ['departments.view'])
    for (const from of ['203.0.113.1', '203.0.113.2']) {
      instance.clock.advance(1000)
      await readDepartments({ key, from })
    }
    await instance.flush()
    const keyList = await instance.request('GET', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect(keyList.body.apiKeys[0]).toMatchObject({
      lastUsedAt: new Date(instance.clock.now()).toISOString(),
      lastUsedAddress: '203.0.113.2',
    })
  })

  test('a permission removed from a role is missing from the next request on', async () => {
    const { session, roleId } = await instance.member(workspace.id, ['departments.view'])
    expect((await readDepartments({ session })).status).toBe(200)
    const body = { workspaceId: workspace.id, roleId, permissions: '' }
    const changed = await instance.request('POST', '/api/_workspace-permissions', {
      key: workspace.key,
      body,
    })
    expect(changed.status).toBe(200)
    expect(outcome(await readDepartments({ session }))).toEqual([403, 'missing_permission'])
  })
})
