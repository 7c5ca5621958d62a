import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashToken } from '@reeve/auth'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota, setArchived } from '../../support/workspace-states.ts'
import { createApiKeyRequests, DAY, formatOutcome } from './api-key-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createApiKeyRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createApiKeyRequests(instance, workspace)
})
afterAll(() => instance.close())

describe('revoke', () => {
  test('a revoked key is refused from the next request', async () => {
    const { secret, apiKey } = (await requests.create()).body
    expect((await requests.requestWithKey(secret)).status).toBe(200)
    const revoked = await requests.change('revoke', apiKey.id)
    expect(revoked.body.apiKey).toMatchObject({
      id: apiKey.id,
      status: 'revoked',
      revokedAt: new Date(instance.clock.now()).toISOString(),
      revokedBy: workspace.ownerId,
    })
    expect(formatOutcome(await requests.requestWithKey(secret))).toEqual([401, 'key_revoked'])
  })

  test('a revoked key can be neither revoked nor rotated', async () => {
    const { apiKey } = (await requests.create()).body
    expect((await requests.change('revoke', apiKey.id)).status).toBe(200)
    expect(formatOutcome(await requests.change('revoke', apiKey.id))).toEqual([409, 'conflict'])
    expect(formatOutcome(await requests.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
  })

  test('a key can be managed by members of at least its rank', async () => {
    const lowManager = await requests.createKeyManager(['departments.view'], 5)
    const highManager = await requests.createKeyManager(['departments.view'], 6)
    const { apiKey } = (await requests.create({}, highManager.session)).body
    for (const action of ['revoke', 'rotate'] as const) {
      expect(formatOutcome(await requests.change(action, apiKey.id, {}, lowManager.session))).toEqual([
        403,
        'insufficient_rank',
      ])
    }
    const peer = await requests.createKeyManager([], 6)
    expect((await requests.change('revoke', apiKey.id, {}, peer.session)).status).toBe(200)
  })

  test("another workspace's key gets the same response as an unknown one", async () => {
    const other = await instance.workspace()
    const { apiKey, secret } = (await createApiKeyRequests(instance, other).create()).body
    for (const action of ['revoke', 'rotate'] as const) {
      const foreignResponse = await requests.change(action, apiKey.id)
      const unknownResponse = await requests.change(action, instance.ports.newId())
      expect(foreignResponse.status).toBe(404)
      expect({ ...foreignResponse.body, requestId: '' }).toEqual({ ...unknownResponse.body, requestId: '' })
    }
    expect((await createApiKeyRequests(instance, other).requestWithKey(secret)).status).toBe(200)
  })

  test('a leaked key can be revoked over quota and in an archived workspace', async () => {
    const otherFixture = await instance.workspace()
    const { apiKey, secret } = (await createApiKeyRequests(instance, otherFixture).create()).body
    await quota(instance, otherFixture.id, 1)
    const rotated = await createApiKeyRequests(instance, otherFixture).change('rotate', apiKey.id, {})
    expect(formatOutcome(await createApiKeyRequests(instance, otherFixture).requestWithKey(secret))).toEqual([
      401,
      'key_revoked',
    ])
    await quota(instance, otherFixture.id, null)
    await setArchived(instance, otherFixture.id, true)
    expect(formatOutcome(await createApiKeyRequests(instance, otherFixture).create())).toEqual([
      403,
      'workspace_archived',
    ])
    expect(
      (await createApiKeyRequests(instance, otherFixture).change('revoke', rotated.body.apiKey.id, {}))
        .status,
    ).toBe(200)
    expect(
      formatOutcome(await createApiKeyRequests(instance, otherFixture).requestWithKey(rotated.body.secret)),
    ).toEqual([401, 'key_revoked'])
  })
})

describe('rotate', () => {
  test('the new key has the fields of the old one, which is revoked immediately by default', async () => {
    const expiresAt = new Date(instance.clock.now() + 90 * DAY).toISOString()
    const first = (await requests.create({ name: 'Bot', expiresAt, allowedAddresses: '127.0.0.0/8' })).body
    const second = (await requests.change('rotate', first.apiKey.id)).body
    const { id, hint, ...rest } = first.apiKey
    expect(second.apiKey).toEqual({ ...rest, id: expect.any(String), hint: second.secret.slice(-4) })
    expect(second.apiKey.id).not.toBe(id)
    expect(second.secret.slice(-4)).not.toBe(hint)
    expect(formatOutcome(await requests.requestWithKey(first.secret))).toEqual([401, 'key_revoked'])
    expect((await requests.requestWithKey(second.secret)).status).toBe(200)
  })

  test('the new key expires when the request says, also never, and the old one when it did', async () => {
    const timeAfter = (days: number) => new Date(instance.clock.now() + days * DAY).toISOString()
    const expiresAt = timeAfter(2)
    for (const chosen of [timeAfter(90), timeAfter(1), null]) {
      const first = (await requests.create({ name: 'Lobby', expiresAt })).body
      const fields = { graceSeconds: '864000', expiresAt: chosen }
      const second = (await requests.change('rotate', first.apiKey.id, fields)).body
      expect(second.apiKey.expiresAt).toBe(chosen)
      expect((await requests.requestWithKey(second.secret)).status).toBe(200)
      const { apiKeys } = await requests.list()
      const old = apiKeys.find(({ id }: { id: string }) => id === first.apiKey.id)
      expect(old).toMatchObject({ status: 'expiring', expiresAt })
      const path = `/portal/api/audit?workspaceId=${workspace.id}&targetId=${second.apiKey.id}`
      const { entries } = (await instance.request('GET', path, { session: workspace.ownerSession })).body
      expect(entries).toMatchObject([
        {
          action: 'api_keys.set_expiry',
          changes: {
            before: { name: 'Lobby', expiresAt: Date.parse(expiresAt) },
            after: { name: 'Lobby', expiresAt: chosen === null ? null : Date.parse(chosen) },
          },
        },
      ])
    }
    instance.clock.advance(3 * DAY)
    const { apiKeys } = await requests.list('&ended=false')
    expect(apiKeys.filter(({ name }: { name: string }) => name === 'Lobby')).toHaveLength(2)
  })

  test('an expiry that is not in the future is refused, and the old key stays', async () => {
    const { apiKey, secret } = (await requests.create()).body
    for (const expiresAt of [new Date(instance.clock.now()).toISOString(), '', 'soon']) {
      const { status, body } = await requests.change('rotate', apiKey.id, { expiresAt })
      expect([expiresAt, status, body.details?.[0]?.field]).toEqual([expiresAt, 400, 'expiresAt'])
    }
    expect((await requests.requestWithKey(secret)).status).toBe(200)
  })

  test('the old key stays valid for exactly the grace period', async () => {
    const first = (await requests.create()).body
    const second = (await requests.change('rotate', first.apiKey.id, { graceSeconds: 3600 })).body
    const old = (await requests.list()).apiKeys.find((key: { id: string }) => key.id === first.apiKey.id)
    expect(old).toMatchObject({
      status: 'expiring',
      revokedAt: new Date(instance.clock.now() + 3_600_000).toISOString(),
    })
    instance.clock.advance(3_600_000 - 1)
    expect((await requests.requestWithKey(first.secret)).status).toBe(200)
    instance.clock.advance(1)
    expect(formatOutcome(await requests.requestWithKey(first.secret))).toEqual([401, 'key_revoked'])
    expect((await requests.requestWithKey(second.secret)).status).toBe(200)
  })

  test('a key in its grace period can be revoked, but not rotated again', async () => {
    const { apiKey, secret } = (await requests.create()).body
    await requests.change('rotate', apiKey.id, { graceSeconds: '3600' })
    expect(formatOutcome(await requests.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
    expect((await requests.change('revoke', apiKey.id)).status).toBe(200)
    expect(formatOutcome(await requests.requestWithKey(secret))).toEqual([401, 'key_revoked'])
  })

  test('of two concurrent rotations of a key, exactly one succeeds', async () => {
    const { apiKey } = (await requests.create()).body
    const responses = await Promise.all([
      requests.change('rotate', apiKey.id, { graceSeconds: 60 }),
      requests.change('rotate', apiKey.id, { graceSeconds: 60 }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('a key with a permission that the actor lacks can be revoked, but not rotated', async () => {
    const highManager = await requests.createKeyManager(['departments.view', 'departments.manage'])
    const { apiKey, secret } = (
      await requests.create({ permissions: 'departments.view,departments.manage' }, highManager.session)
    ).body
    const lowManager = await requests.createKeyManager(['departments.view'])
    const rejectedResponse = await requests.change('rotate', apiKey.id, {}, lowManager.session)
    expect([rejectedResponse.status, rejectedResponse.body.permission]).toEqual([403, 'departments.manage'])
    expect((await requests.requestWithKey(secret)).status).toBe(200)
    expect((await requests.change('revoke', apiKey.id, {}, lowManager.session)).status).toBe(200)
  })

  test('a grace period over thirty days, or that is not a whole number, is refused', async () => {
    const { apiKey } = (await requests.create()).body
    for (const graceSeconds of ['2592001', '-1', '1.5', 'soon', '', '1e3']) {
      const { status, body } = await requests.change('rotate', apiKey.id, { graceSeconds })
      expect([graceSeconds, status, body.details?.[0]?.field]).toEqual([graceSeconds, 400, 'graceSeconds'])
    }
    expect((await requests.change('rotate', apiKey.id, { graceSeconds: '2592000' })).status).toBe(200)
  })

  test('every change is in the audit log, without the key', async () => {
    const { apiKey, secret } = (await requests.create({ name: 'audited key' })).body
    const rotated = (await requests.change('rotate', apiKey.id)).body
    await requests.change('revoke', rotated.apiKey.id)
    const rows = (await readStoredRows(instance)).audit?.filter((row) => row.includes('audited key')) ?? []
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).not.toContain(secret.slice(4, 40))
      expect(row).not.toContain(hashToken(secret))
    }
  })
})
