import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hashToken } from '@reeve/auth'
import { type Instance, openInstance } from '../../support/instance.ts'
import { archived, quota } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'
import { DAY, keyCalls, outcome } from './key-calls.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof keyCalls>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  calls = keyCalls(instance, workspace)
})
afterAll(() => instance.close())

describe('revoke', () => {
  test('a key that was just used is refused from the next request on', async () => {
    const { secret, apiKey } = (await calls.create()).body
    expect((await calls.use(secret)).status).toBe(200)
    const revoked = await calls.change('revoke', apiKey.id)
    expect(revoked.body.apiKey).toMatchObject({
      id: apiKey.id,
      status: 'revoked',
      revokedAt: new Date(instance.clock.now()).toISOString(),
      revokedBy: workspace.ownerId,
    })
    expect(outcome(await calls.use(secret))).toEqual([401, 'key_revoked'])
  })

  test('a key that has ended cannot be ended again', async () => {
    const { apiKey } = (await calls.create()).body
    expect((await calls.change('revoke', apiKey.id)).status).toBe(200)
    expect(outcome(await calls.change('revoke', apiKey.id))).toEqual([409, 'conflict'])
    expect(outcome(await calls.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
  })

  test('a key of higher rank is out of reach, one of the same rank is not', async () => {
    const low = await calls.manager(['departments.view'], 5)
    const high = await calls.manager(['departments.view'], 6)
    const { apiKey } = (await calls.create({}, high.session)).body
    for (const verb of ['revoke', 'rotate'] as const) {
      expect(outcome(await calls.change(verb, apiKey.id, {}, low.session))).toEqual([
        403,
        'insufficient_rank',
      ])
    }
    const peer = await calls.manager([], 6)
    expect((await calls.change('revoke', apiKey.id, {}, peer.session)).status).toBe(200)
  })

  test("another workspace's key is not found, never forbidden", async () => {
    const other = await instance.workspace()
    const { apiKey, secret } = (await keyCalls(instance, other).create()).body
    for (const verb of ['revoke', 'rotate'] as const) {
      const theirs = await calls.change(verb, apiKey.id)
      const never = await calls.change(verb, instance.ports.newId())
      expect(theirs.status).toBe(404)
      expect({ ...theirs.body, requestId: '' }).toEqual({ ...never.body, requestId: '' })
    }
    expect((await keyCalls(instance, other).use(secret)).status).toBe(200)
  })

  test('a leaked key ends in an archived workspace and beyond the quota too', async () => {
    const home = await instance.workspace()
    const { apiKey, secret } = (await keyCalls(instance, home).create()).body
    await quota(instance, home.id, 1)
    expect(outcome(await keyCalls(instance, home).create())).toEqual([429, 'quota_exceeded'])
    const rotated = await keyCalls(instance, home).change('rotate', apiKey.id, {})
    expect(outcome(await keyCalls(instance, home).use(secret))).toEqual([401, 'key_revoked'])
    await quota(instance, home.id, null)
    await archived(instance, home.id, true)
    expect(outcome(await keyCalls(instance, home).create())).toEqual([403, 'workspace_archived'])
    expect((await keyCalls(instance, home).change('revoke', rotated.body.apiKey.id, {})).status).toBe(200)
    expect(outcome(await keyCalls(instance, home).use(rotated.body.secret))).toEqual([401, 'key_revoked'])
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
    expect(outcome(await calls.use(first.secret))).toEqual([401, 'key_revoked'])
    expect((await calls.use(second.secret)).status).toBe(200)
  })

  test('the old key lives on for the time asked, to the millisecond', async () => {
    const first = (await calls.create()).body
    const second = (await calls.change('rotate', first.apiKey.id, { graceSeconds: 3600 })).body
    const old = (await calls.list()).apiKeys.find((one: { id: string }) => one.id === first.apiKey.id)
    expect(old).toMatchObject({
      status: 'expiring',
      revokedAt: new Date(instance.clock.now() + 3_600_000).toISOString(),
    })
    instance.clock.advance(3_600_000 - 1)
    expect((await calls.use(first.secret)).status).toBe(200)
    instance.clock.advance(1)
    expect(outcome(await calls.use(first.secret))).toEqual([401, 'key_revoked'])
    expect((await calls.use(second.secret)).status).toBe(200)
  })

  test('a key that lives out its time can be revoked, and is not rotated again', async () => {
    const { apiKey, secret } = (await calls.create()).body
    await calls.change('rotate', apiKey.id, { graceSeconds: '3600' })
    expect(outcome(await calls.change('rotate', apiKey.id))).toEqual([409, 'conflict'])
    expect((await calls.change('revoke', apiKey.id)).status).toBe(200)
    expect(outcome(await calls.use(secret))).toEqual([401, 'key_revoked'])
  })

  test('of two rotations of one key at the same time exactly one wins', async () => {
    const { apiKey } = (await calls.create()).body
    const answers = await Promise.all([
      calls.change('rotate', apiKey.id, { graceSeconds: 60 }),
      calls.change('rotate', apiKey.id, { graceSeconds: 60 }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('a key that may do more than its manager is not theirs to rotate, but to revoke', async () => {
    const high = await calls.manager(['departments.view', 'departments.manage'])
    const { apiKey, secret } = (
      await calls.create({ permissions: 'departments.view,departments.manage' }, high.session)
    ).body
    const low = await calls.manager(['departments.view'])
    const refused = await calls.change('rotate', apiKey.id, {}, low.session)
    expect([refused.status, refused.body.permission]).toEqual([403, 'departments.manage'])
    expect((await calls.use(secret)).status).toBe(200)
    expect((await calls.change('revoke', apiKey.id, {}, low.session)).status).toBe(200)
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
    const rows = (await stored(instance)).audit?.filter((row) => row.includes('audited key')) ?? []
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).not.toContain(secret.slice(4, 40))
      expect(row).not.toContain(hashToken(secret))
    }
  })
})
