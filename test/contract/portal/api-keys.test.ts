import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashToken, isApiKey } from '@reeve/auth'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createApiKeyRequests, DAY, formatOutcome, PATH } from './api-key-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createApiKeyRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createApiKeyRequests(instance, workspace)
})
afterAll(() => instance.close())

describe('create', () => {
  test('a new key is shown once, works immediately, and only its hash is stored', async () => {
    const { status, body } = await requests.create({ permissions: '["departments.view"]' })
    expect(status).toBe(200)
    const { apiKey, secret } = body
    expect(isApiKey(secret)).toBe(true)
    expect(apiKey).toEqual({
      id: expect.any(String),
      name: 'Main server',
      hint: secret.slice(-4),
      permissions: '["departments.view"]',
      allowedAddresses: null,
      longestBanSeconds: null,
      longestMuteSeconds: null,
      highestSeverity: null,
      bansPerHour: null,
      evidenceFromSeverity: null,
      permanentBansNeedApproval: 'false',
      rank: expect.stringMatching(/^\d+$/),
      createdBy: workspace.ownerId,
      createdByUsername: expect.stringMatching(/^account /),
      creatorStatus: 'member',
      createdAt: new Date(instance.clock.now()).toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      revokedAt: null,
      revokedBy: null,
      revokedByUsername: null,
      restoredAt: null,
      status: 'live',
    })
    expect((await requests.requestWithKey(secret)).status).toBe(200)
    const text = JSON.stringify(await readStoredRows(instance))
    expect(text).toContain(hashToken(secret))
    expect(text).not.toContain(secret)
    expect(text).not.toContain(secret.slice(4, 47))
    const listedKey = (await requests.list()).apiKeys.find((key: { id: string }) => key.id === apiKey.id)
    expect(JSON.stringify(listedKey)).not.toContain(secret.slice(4, 40))
  })

  test('a key has exactly the permissions of the request', async () => {
    const { secret } = (await requests.create({ permissions: 'departments.view' })).body
    const response = await instance.request('POST', `/api/departments?workspaceId=${workspace.id}`, {
      key: secret,
      body: { name: 'X' },
    })
    expect(response.body.permission).toBe('departments.manage')
  })

  test('IP ranges are separated by commas or line breaks and returned normalized; other IP addresses are refused', async () => {
    const { body } = await requests.create({
      allowedAddresses:
        '203.0.113.77/24,\n 198.51.100.7/32\n2001:DB8:0:0::1/48 ::ffff:192.0.2.1 203.0.113.0/24',
    })
    expect(body.apiKey.allowedAddresses).toBe('203.0.113.0/24, 198.51.100.7, 2001:db8::/48, 192.0.2.1')
    for (const from of ['203.0.113.255', '198.51.100.7', '2001:db8:0:ffff::9', '::ffff:192.0.2.1'])
      expect((await requests.requestWithKey(body.secret, from)).status).toBe(200)
    for (const from of ['203.0.114.0', '198.51.100.8', '2001:db9::1', '127.0.0.1'])
      expect(formatOutcome(await requests.requestWithKey(body.secret, from))).toEqual([
        403,
        'address_not_allowed',
      ])
  })

  test('text that is not an IP address or range is refused, also ambiguous notations', async () => {
    for (const allowedAddresses of [
      ',',
      ' , \n,',
      'example.com',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '010.0.0.1',
      '0x7f.0.0.1',
      '127.1',
      '2001:db8::/129',
      'fe80::1%eth0',
      '::ffff:10.0.0.0/95',
      Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`).join(),
    ]) {
      const { status, body } = await requests.create({ allowedAddresses })
      expect([allowedAddresses, status, body.details?.[0]?.field]).toEqual([
        allowedAddresses,
        400,
        'allowedAddresses',
      ])
    }
  })

  test('a key stops working at its expiry', async () => {
    const expiresAt = new Date(instance.clock.now() + DAY).toISOString()
    const { secret, apiKey } = (await requests.create({ expiresAt })).body
    expect(apiKey.expiresAt).toBe(expiresAt)
    instance.clock.advance(DAY - 1)
    expect((await requests.requestWithKey(secret)).status).toBe(200)
    instance.clock.advance(1)
    expect(formatOutcome(await requests.requestWithKey(secret))).toEqual([401, 'key_expired'])
    const listedKey = (await requests.list()).apiKeys.find((key: { id: string }) => key.id === apiKey.id)
    expect(listedKey.status).toBe('expired')
  })

  test('an expiry in the past or at the current time is refused', async () => {
    for (const at of [instance.clock.now(), instance.clock.now() - 1, 1e11]) {
      const { status, body } = await requests.create({ expiresAt: String(at) })
      expect([status, body.details]).toEqual([
        400,
        [{ field: 'expiresAt', message: 'must be in the future' }],
      ])
    }
  })

  test('missing and invalid fields are named', async () => {
    const missingResponse = await instance.request('POST', PATH, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id },
    })
    const listFieldNames = (body: { details: { field: string }[] }) => body.details.map(({ field }) => field)
    expect(listFieldNames(missingResponse.body)).toEqual(['name', 'permissions'])
    const invalidResponse = await requests.create({
      name: ' ',
      permissions: 'fly',
      expiresAt: 'soon',
      secret: 'mine',
    })
    expect(listFieldNames(invalidResponse.body).sort()).toEqual([
      'expiresAt',
      'name',
      'permissions',
      'secret',
    ])
  })

  test('a key cannot have a permission that its creator lacks', async () => {
    const { session } = await requests.createKeyManager(['departments.view'])
    const rejectedResponse = await requests.create(
      { permissions: 'departments.view,departments.manage' },
      session,
    )
    expect([rejectedResponse.status, rejectedResponse.body.reason, rejectedResponse.body.permission]).toEqual(
      [403, 'missing_permission', 'departments.manage'],
    )
    expect((await requests.create({ permissions: 'departments.view,api_keys.manage' }, session)).status).toBe(
      200,
    )
  })

  test('an Idempotency-Key is refused, because replaying would require storing the secret', async () => {
    const headers = { 'idempotency-key': 'again' }
    const body = { workspaceId: workspace.id, name: 'x', permissions: '' }
    const response = await instance.request('POST', PATH, { session: workspace.ownerSession, body, headers })
    expect([response.status, response.body.details[0].field]).toEqual([400, 'Idempotency-Key'])
  })

  test('a workspace has at most fifty usable keys, also with concurrent requests', async () => {
    const workspaceFixture = await instance.workspace()
    const countLiveKeys = async () =>
      [...(await createApiKeyRequests(instance, workspaceFixture).list('&limit=200')).apiKeys].filter(
        ({ status }) => status === 'live',
      ).length
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => createApiKeyRequests(instance, workspaceFixture).create()),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(responses.find(({ status }) => status !== 200)?.body.code).toBe('conflict')
    expect(await countLiveKeys()).toBe(50)
    const [newest] = (await createApiKeyRequests(instance, workspaceFixture).list()).apiKeys
    expect(
      (
        await createApiKeyRequests(instance, workspaceFixture).change('rotate', newest.id, {
          graceSeconds: '60',
        })
      ).status,
    ).toBe(409)
    expect(
      (await createApiKeyRequests(instance, workspaceFixture).change('rotate', newest.id, {})).status,
    ).toBe(200)
    expect((await createApiKeyRequests(instance, workspaceFixture).create()).status).toBe(409)
    const [next] = (await createApiKeyRequests(instance, workspaceFixture).list()).apiKeys
    expect(
      (await createApiKeyRequests(instance, workspaceFixture).change('revoke', next.id, {})).status,
    ).toBe(200)
    expect((await createApiKeyRequests(instance, workspaceFixture).create()).status).toBe(200)
    expect(await countLiveKeys()).toBe(50)
  })
})

describe('list', () => {
  test('keys are listed newest first, in pages, with their last use', async () => {
    const workspaceFixture = await instance.workspace()
    const createdIds: string[] = []
    for (let count = 0; count < 3; count++)
      createdIds.unshift((await createApiKeyRequests(instance, workspaceFixture).create()).body.apiKey.id)
    const { secret, apiKey } = (await createApiKeyRequests(instance, workspaceFixture).create()).body
    await createApiKeyRequests(instance, workspaceFixture).requestWithKey(secret, '203.0.113.5')
    const first = await createApiKeyRequests(instance, workspaceFixture).list('&limit=2')
    const rest = await createApiKeyRequests(instance, workspaceFixture).list(
      `&limit=3&cursor=${first.nextCursor}`,
    )
    expect(first.apiKeys[0]).toMatchObject({
      id: apiKey.id,
      lastUsedAt: new Date(instance.clock.now()).toISOString(),
      lastUsedAddress: '203.0.113.5',
    })
    const ids = [...first.apiKeys, ...rest.apiKeys].map(({ id }) => id)
    expect(ids.slice(1, 4)).toEqual(createdIds)
    expect(rest.nextCursor).toBeNull()
  })
})

describe('list of usable and of ended keys', () => {
  test('a rotated key is usable during its grace period, and the list names who revoked it', async () => {
    const workspaceFixture = await instance.workspace()
    const { create, change, list } = createApiKeyRequests(instance, workspaceFixture)
    const listIds = async (query: string) => (await list(query)).apiKeys.map(({ id }: { id: string }) => id)
    const createKey = async (fields: object = {}) => (await create(fields)).body.apiKey.id
    const [first] = await listIds('')
    const expires = await createKey({ expiresAt: String(instance.clock.now() + DAY) })
    const old = await createKey()
    const next = (await change('rotate', old, { graceSeconds: '60' })).body.apiKey.id
    const revoked = await createKey()
    await change('revoke', revoked)
    expect(await listIds('&ended=false')).toEqual([next, old, expires, first])
    expect(await listIds('&ended=true')).toEqual([revoked])
    instance.clock.advance(DAY)
    expect(await listIds('&ended=false')).toEqual([next, first])
    expect(await listIds('&ended=true')).toEqual([revoked, old, expires])
    const [listedKey] = (await list('&ended=true')).apiKeys
    expect(listedKey).toMatchObject({
      createdByUsername: expect.stringMatching(/^account /),
      revokedByUsername: listedKey.createdByUsername,
    })
  })
})

describe('access', () => {
  const guarded = () =>
    ({ workspaceId: workspace.id, permission: 'api_keys.manage', who: 'session' }) as const

  test('listing and creating require api_keys.manage', async () => {
    const workspaceFixture = await instance.workspace()
    const common = { ...guarded(), workspaceId: workspaceFixture.id }
    await expectAccessRules(instance, {
      ...common,
      method: 'GET',
      path: PATH,
      query: { workspaceId: workspaceFixture.id },
    })
    await expectAccessRules(instance, {
      ...common,
      method: 'POST',
      path: PATH,
      body: { workspaceId: workspaceFixture.id, name: 'x', permissions: '' },
    })
  })

  test('revoking and rotating require api_keys.manage', async () => {
    const workspaceFixture = await instance.workspace()
    const common = {
      ...guarded(),
      workspaceId: workspaceFixture.id,
      method: 'POST',
      whileArchived: true,
    } as const
    for (const action of ['revoke', 'rotate']) {
      const { apiKey } = (await createApiKeyRequests(instance, workspaceFixture).create()).body
      await expectAccessRules(instance, {
        ...common,
        path: `${PATH}/${action}`,
        body: { workspaceId: workspaceFixture.id, id: apiKey.id },
        // The key has the rank of the owner, so other members cannot manage it.
        accepted: 403,
      })
    }
  })

  test('an owner can create a key with every permission', async () => {
    expect((await requests.create({ permissions: permissions.join() })).status).toBe(200)
  })
})
