import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { queryServer } from '@reeve/db/test-cluster'
import { followerOf } from '../support/follow.ts'
import type { Running } from '../support/program.ts'
import { type Answering, call, openReplicas, type Replicas, SOON_MS, signIn, timeUntil } from './replicas.ts'

let at: Replicas
beforeAll(async () => {
  at = await openReplicas()
})
afterAll(() => at?.close())

describe('what changes on one replica holds on the other within a second', () => {
  test('a key that was revoked', async () => {
    const [one] = at.replicas
    const { keyId, apiKey } = await at.keyNamed('short')
    for (const on of at.replicas) expect((await at.departments(on, apiKey)).status).toBe(200)
    const { cookie } = await signIn(one)
    const revoked = await call(one, 'POST', '/portal/api/api-keys/revoke', {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: { workspaceId: at.workspaceId, id: keyId },
    })
    expect(revoked.status).toBe(200)
    const isRefused = (on: Running) => async () => (await at.departments(on, apiKey)).status === 401
    for (const took of await Promise.all(at.replicas.map((on) => timeUntil(isRefused(on)))))
      expect(took).toBeLessThan(SOON_MS)
  })

  test('an endpoint that was switched off, by a command too', async () => {
    const control = (mode: string) =>
      at.command([
        'control',
        'set',
        '--workspace',
        at.workspaceId,
        '--endpoint',
        'departments',
        '--mode',
        mode,
      ])
    for (const on of at.replicas) expect((await at.departments(on, at.apiKey)).status).toBe(200)
    await control('off')
    for (const on of at.replicas)
      expect(await timeUntil(async () => (await at.departments(on, at.apiKey)).status === 403)).toBeLessThan(
        SOON_MS,
      )
    await control('on')
    for (const on of at.replicas)
      expect(await timeUntil(async () => (await at.departments(on, at.apiKey)).status === 200)).toBeLessThan(
        SOON_MS,
      )
  })

  test('a session that has ended', async () => {
    const [one, other] = at.replicas
    const { cookie } = await signIn(one)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    expect((await call(other, 'GET', '/portal/api/me', { headers })).status).toBe(200)
    await call(one, 'POST', '/portal/api/sign-out', { headers, body: {} })
    expect((await call(other, 'GET', '/portal/api/me', { headers })).status).toBe(401)
  })

  test('what browsers on the other one look at is told to have changed', async () => {
    const [one, other] = at.replicas
    const { cookie } = await signIn(other)
    const live = `${other.url}/portal/api/live?workspaceId=${at.workspaceId}`
    const follower = followerOf(await fetch(live, { headers: { cookie } }))
    await follower.until(() => follower.lastId() !== '')
    const since = performance.now()
    const { body } = await at.ban(one, '77')
    expect(await follower.next('moderation')).toMatchObject({ sequence: body.record.sequence })
    expect(performance.now() - since).toBeLessThan(SOON_MS)
    await follower.close()
  })

  test('also where a replica lost what it is told by', async () => {
    const [one, other] = at.replicas
    const { keyId, apiKey } = await at.keyNamed('deaf')
    for (const on of [one, other]) expect((await at.departments(on, apiKey)).status).toBe(200)
    // Nobody is told of this change: the row alone is changed, while every listening connection is cut.
    await queryServer(
      at.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (query ilike 'listen %' or query = 'select 1')`,
    )
    await queryServer(at.url, `update api_key set revoked_at = 1 where id = '${keyId}'`)
    for (const on of [one, other])
      expect(await timeUntil(async () => (await at.departments(on, apiKey)).status === 401)).toBeLessThan(
        SOON_MS,
      )
  })
})

describe('a key that was revoked while a replica had been cut off from the database', () => {
  const isLet = async (on: Answering, key: string) => {
    const path = `/api/departments?workspaceId=${at.workspaceId}`
    const asked = fetch(`${on.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(SOON_MS),
    })
    return (await asked.catch(() => null))?.status === 200
  }
  /** For how long it is let in from now on; what is not answered in time is not. */
  const letFor = async (on: Answering, key: string) => {
    const since = performance.now()
    let took = 0
    while (await isLet(on, key)) took = performance.now() - since
    return took
  }

  const hows = { cut: 'its connections are cut', still: 'nothing is heard on its connections' } as const
  for (const how of ['cut', 'still'] as const) {
    test(`opens nothing there within a second, nor once it is back: ${hows[how]}`, async () => {
      const [one, other, third] = at.replicas
      const { keyId, apiKey } = await at.keyNamed(how)
      for (const on of at.replicas) expect(await isLet(on, apiKey)).toBe(true)
      const { cookie } = await signIn(one)
      at.line.block(how)
      const revoked = await call(one, 'POST', '/portal/api/api-keys/revoke', {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: { workspaceId: at.workspaceId, id: keyId },
      })
      expect(revoked.status).toBe(200)
      for (const took of await Promise.all([letFor(other, apiKey), letFor(third, apiKey)]))
        expect(took).toBeLessThan(SOON_MS)
      at.line.unblock()
      await timeUntil(async () => (await at.departments(third, apiKey)).status === 401)
    })
  }
})
