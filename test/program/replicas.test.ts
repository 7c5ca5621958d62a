import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { queryServer } from '@reeve/db/test-cluster'
import { readLiveStream } from '../support/live-stream.ts'
import type { RunningServer } from '../support/program.ts'
import {
  MAX_PROPAGATION_MS,
  measureDelay,
  measureUntil,
  openReplicaFixture,
  type ReplicaFixture,
  request,
  type ServerUrl,
  signIn,
} from './replicas.ts'

let fixture: ReplicaFixture
beforeAll(async () => {
  fixture = await openReplicaFixture()
})
afterAll(() => fixture?.close())

describe('a change on one replica takes effect on the others within a second', () => {
  test('revoking a key', async () => {
    const [first] = fixture.replicas
    const { keyId, apiKey } = await fixture.createKey('short')
    for (const target of fixture.replicas)
      expect((await fixture.listDepartments(target, apiKey)).status).toBe(200)
    const { cookie } = await signIn(first)
    const revoked = await request(first, 'POST', '/portal/api/api-keys/revoke', {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: { workspaceId: fixture.workspaceId, id: keyId },
    })
    expect(revoked.status).toBe(200)
    const isRefused = (target: RunningServer) => async () =>
      (await fixture.listDepartments(target, apiKey)).status === 401
    for (const elapsed of await Promise.all(
      fixture.replicas.map((target) => measureUntil(isRefused(target))),
    ))
      expect(elapsed).toBeLessThan(MAX_PROPAGATION_MS)
  })

  test('switching an endpoint off, also by a command', async () => {
    const control = (mode: string) =>
      fixture.runCommand([
        'control',
        'set',
        '--workspace',
        fixture.workspaceId,
        '--endpoint',
        'departments',
        '--mode',
        mode,
      ])
    for (const target of fixture.replicas)
      expect((await fixture.listDepartments(target, fixture.apiKey)).status).toBe(200)
    await control('off')
    for (const target of fixture.replicas)
      expect(
        await measureUntil(
          async () => (await fixture.listDepartments(target, fixture.apiKey)).status === 403,
        ),
      ).toBeLessThan(MAX_PROPAGATION_MS)
    await control('on')
    for (const target of fixture.replicas)
      expect(
        await measureUntil(
          async () => (await fixture.listDepartments(target, fixture.apiKey)).status === 200,
        ),
      ).toBeLessThan(MAX_PROPAGATION_MS)
  })

  test('ending a session', async () => {
    const [first, second] = fixture.replicas
    const { cookie } = await signIn(first)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    expect((await request(second, 'GET', '/portal/api/me', { headers })).status).toBe(200)
    await request(first, 'POST', '/portal/api/sign-out', { headers, body: {} })
    expect((await request(second, 'GET', '/portal/api/me', { headers })).status).toBe(401)
  })

  test('live changes to browsers on another replica', async () => {
    const [first, second] = fixture.replicas
    const { cookie } = await signIn(second)
    const liveUrl = `${second.url}/portal/api/live?workspaceId=${fixture.workspaceId}`
    const stream = readLiveStream(await fetch(liveUrl, { headers: { cookie } }))
    await stream.waitUntil(() => stream.lastId() !== '')
    const { body } = await fixture.banPlayer(first, '77')
    const event = stream.next('moderation')
    expect(await measureDelay(second, event)).toBeLessThan(MAX_PROPAGATION_MS)
    expect(await event).toMatchObject({ sequence: body.record.sequence })
    await stream.close()
  })

  test('also when a replica has lost its notification connection', async () => {
    const [first, second] = fixture.replicas
    const { keyId, apiKey } = await fixture.createKey('deaf')
    for (const target of [first, second])
      expect((await fixture.listDepartments(target, apiKey)).status).toBe(200)
    // Changes only the row, without a notification, while every listening connection is cut.
    await queryServer(
      fixture.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (query ilike 'listen %' or query = 'select 1')`,
    )
    await queryServer(fixture.url, `update api_key set revoked_at = 1 where id = '${keyId}'`)
    for (const target of [first, second])
      expect(
        await measureUntil(async () => (await fixture.listDepartments(target, apiKey)).status === 401),
      ).toBeLessThan(MAX_PROPAGATION_MS)
  })
})

describe('a key revoked while a replica is disconnected from the database', () => {
  const isAccepted = async (target: ServerUrl, key: string) => {
    const path = `/api/departments?workspaceId=${fixture.workspaceId}`
    const pendingResponse = fetch(`${target.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(MAX_PROPAGATION_MS),
    })
    return (await pendingResponse.catch(() => null))?.status === 200
  }
  /** How long requests with the key that are sent are still accepted. A timeout counts as rejected. */
  const measureAcceptedFor = (target: ServerUrl, key: string) =>
    measureUntil(async () => !(await isAccepted(target, key)))

  const faultDescriptions = {
    cut: 'its connections are cut',
    stalled: 'its connections are silent',
  } as const
  for (const fault of ['cut', 'stalled'] as const) {
    test(`is rejected there within a second and after reconnecting: ${faultDescriptions[fault]}`, async () => {
      const [first, second, third] = fixture.replicas
      const { keyId, apiKey } = await fixture.createKey(fault)
      for (const target of fixture.replicas)
        expect((await fixture.listDepartments(target, apiKey)).status).toBe(200)
      const { cookie } = await signIn(first)
      fixture.cuttableProxy.block(fault)
      const revoked = await request(first, 'POST', '/portal/api/api-keys/revoke', {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: { workspaceId: fixture.workspaceId, id: keyId },
      })
      expect(revoked.status).toBe(200)
      for (const elapsed of await Promise.all([
        measureAcceptedFor(second, apiKey),
        measureAcceptedFor(third, apiKey),
      ]))
        expect(elapsed).toBeLessThan(MAX_PROPAGATION_MS)
      fixture.cuttableProxy.unblock()
      await measureUntil(async () => (await fixture.listDepartments(third, apiKey)).status === 401)
    })
  }
})
