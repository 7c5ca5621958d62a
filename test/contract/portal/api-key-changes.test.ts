import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashToken } from '@reeve/auth'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota, setArchived } from '../../support/workspace-states.ts'
import { createApiKeyRequests, DAY, formatOutcome } from './api-key-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof createApiKeyRequests>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  calls = createApiKeyRequests(instance, workspace)
})
afterAll(() => instance.close())

describe('revoke', () => {
  test('a key that was just used is refused from the next request on', async () => {
    const { secret, apiKey } = (await calls.create()).body
    expect((await calls.requestWithKey(secret)).status).toBe(200)
    const revoked = await calls.change('revoke', apiKey.id)
    expect(revoked.body.apiKey).toMatchObject({
      id: apiKey.id,
      status: 'revoked',
      revokedAt: new Date(instance.clock.now()).toISOString(),
      revokedBy: workspace.ownerId,
    })
    expect(formatOutcome(await calls.requestWithKey(secret))).toEqual([401, 'key_revoked'])
  })

  test('a key that has ended cannot be ended again', async () => {
    const { apiKey } = (await calls.create()).body
    expect((await calls.change('revoke', apiKey.id)).status).toBe(200)
    expect(formatOutcome(await calls.change('revoke', apiKey.id))).toEqual([409, 'conflict'])
    expect(formatOutcome(await calls.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
  })

  test('a key of higher rank is out of reach, one of the same rank is not', async () => {
    const lowManager = await calls.createKeyManager(['departments.view'], 5)
    const highManager = await calls.createKeyManager(['departments.view'], 6)
    const { apiKey } = (await calls.create({}, highManager.session)).body
    for (const action of ['revoke', 'rotate'] as const) {
      expect(formatOutcome(await calls.change(action, apiKey.id, {}, lowManager.session))).toEqual([
        403,
        'insufficient_rank',
      ])
    }
    const peer = await calls.createKeyManager([], 6)
    expect((await calls.change('revoke', apiKey.id, {}, peer.session)).status).toBe(200)
  })

  test("another workspace's key is not found, never forbidden", async () => {
    const other = await instance.workspace()
    const { apiKey, secret } = (await createApiKeyRequests(instance, other).create()).body
    for (const action of ['revoke', 'rotate'] as const) {
      const foreignResponse = await calls.change(action, apiKey.id)
      const unknownResponse = await calls.change(action, instance.ports.newId())
      expect(foreignResponse.status).toBe(404)
      expect({ ...foreignResponse.body, requestId: '' }).toEqual({ ...unknownResponse.body, requestId: '' })
    }
    expect((await createApiKeyRequests(instance, other).requestWithKey(secret)).status).toBe(200)
  })

  test('a leaked key ends in an archived workspace and beyond the quota too', async () => {
    const otherFixture = await instance.workspace()
    const { apiKey, secret } = (await createApiKeyRequests(instance, otherFixture).create()).body
    await quota(instance, otherFixture.id, 1)
    expect(formatOutcome(await createApiKeyRequests(instance, otherFixture).create())).toEqual([
      429,
      'quota_exceeded',
    ])
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
  test('the new key has what the old one had, and the old one ends at once by default', async () => {
    const expiresAt = new Date(instance.clock.now() + 90 * DAY).toISOString()
    const first = (await calls.create({ name: 'Bot', expiresAt, allowedAddresses: '127.0.0.0/8' })).body
    const second = (await calls.change('rotate', first.apiKey.id)).body
    const { id, hint, ...rest } = first.apiKey
    expect(second.apiKey).toEqual({ ...rest, id: expect.any(String), hint: second.secret.slice(-4) })
    expect(second.apiKey.id).not.toBe(id)
    expect(second.secret.slice(-4)).not.toBe(hint)
    expect(formatOutcome(await calls.requestWithKey(first.secret))).toEqual([401, 'key_revoked'])
    expect((await calls.requestWithKey(second.secret)).status).toBe(200)
  })

  test('the old key lives on for the time asked, to the millisecond', async () => {
    const first = (await calls.create()).body
    const second = (await calls.change('rotate', first.apiKey.id, { graceSeconds: 3600 })).body
    const old = (await calls.list()).apiKeys.find((key: { id: string }) => key.id === first.apiKey.id)
    expect(old).toMatchObject({
      status: 'expiring',
      revokedAt: new Date(instance.clock.now() + 3_600_000).toISOString(),
    })
    instance.clock.advance(3_600_000 - 1)
    expect((await calls.requestWithKey(first.secret)).status).toBe(200)
    instance.clock.advance(1)
    expect(formatOutcome(await calls.requestWithKey(first.secret))).toEqual([401, 'key_revoked'])
    expect((await calls.requestWithKey(second.secret)).status).toBe(200)
  })

  test('a key that lives out its time can be revoked, and is not rotated again', async () => {
    const { apiKey, secret } = (await calls.create()).body
    await calls.change('rotate', apiKey.id, { graceSeconds: '3600' })
    expect(formatOutcome(await calls.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
    expect((await calls.change('revoke', apiKey.id)).status).toBe(200)
    expect(formatOutcome(await calls.requestWithKey(secret))).toEqual([401, 'key_revoked'])
  })

  test('of two rotations of one key at the same time exactly one wins', async () => {
    const { apiKey } = (await calls.create()).body
    const responses = await Promise.all([
      calls.change('rotate', apiKey.id, { graceSeconds: 60 }),
      calls.change('rotate', apiKey.id, { graceSeconds: 60 }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('a key that may do more than its manager is not theirs to rotate, but to revoke', async () => {
    const highManager = await calls.createKeyManager(['departments.view', 'departments.manage'])
    const { apiKey, secret } = (
      await calls.create({ permissions: 'departments.view,departments.manage' }, highManager.session)
    ).body
    const lowManager = await calls.createKeyManager(['departments.view'])
    const rejectedResponse = await calls.change('rotate', apiKey.id, {}, lowManager.session)
    expect([rejectedResponse.status, rejectedResponse.body.permission]).toEqual([403, 'departments.manage'])
    expect((await calls.requestWithKey(secret)).status).toBe(200)
    expect((await calls.change('revoke', apiKey.id, {}, lowManager.session)).status).toBe(200)
  })

  test('more than thirty days of grace, or none that is a number, is refused', async () => {
    const { apiKey } = (await calls.create()).body
    for (const graceSeconds of ['2592001', '-1', '1.5', 'soon', '', '1e3']) {
      const { status, body } = await calls.change('rotate', apiKey.id, { graceSeconds })
      expect([graceSeconds, status, body.details?.[0]?.field]).toEqual([graceSeconds, 400, 'graceSeconds'])
    }
    expect((await calls.change('rotate', apiKey.id, { graceSeconds: '2592000' })).status).toBe(200)
  })

  test('every change is in the audit log without the key', async () => {
    const { apiKey, secret } = (await calls.create({ name: 'audited key' })).body
    const rotated = (await calls.change('rotate', apiKey.id)).body
    await calls.change('revoke', rotated.apiKey.id)
    const rows = (await readStoredRows(instance)).audit?.filter((row) => row.includes('audited key')) ?? []
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).not.toContain(secret.slice(4, 40))
      expect(row).not.toContain(hashToken(secret))
    }
  })
})
