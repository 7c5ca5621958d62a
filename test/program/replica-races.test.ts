import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { acquireLockSql, connectTo, queryServer } from '@reeve/db/test-cluster'
import type { RunningServer } from '../support/program.ts'
import {
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

/** Waits until a replica has received the usage of a key from another one, by reading the remaining rate limit. */
async function waitForRateSync(source: RunningServer, observer: RunningServer, key: string): Promise<void> {
  let ownRequests = 0
  await measureUntil(async () => {
    // Again and again, because the limit refills in the meantime.
    await Promise.all(Array.from({ length: 10 }, () => fixture.listDepartments(source, key)))
    ownRequests += 1
    const { headers } = await fixture.listDepartments(observer, key)
    const remaining = Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    return remaining < 100 - ownRequests
  })
}

describe('concurrent requests to three replicas', () => {
  // The first test: counts of earlier rejected requests, which are stored each second, would wait for the lock as well.
  test('the first stored response to an Idempotency-Key wins: a late rejection does not replace a success', async () => {
    const [one, other, third] = fixture.replicas
    const send = (target: ServerUrl, body: object, headers = {}) =>
      request(target, 'POST', '/api/departments', {
        key: fixture.apiKey,
        headers,
        body: { workspaceId: fixture.workspaceId, ...body },
      })
    const key = { 'idempotency-key': 'created-late' }
    const { body } = await send(one, { name: 'Night shift' })
    const locks = await connectTo(fixture.url)
    const waitForWaiting = (count: number) =>
      measureUntil(async () => {
        const rows = await queryServer(
          fixture.url,
          "select 1 from pg_locks where locktype = 'advisory' and not granted",
        )
        return rows.length === count
      })
    try {
      // Three requests wait for the lock of the workspace, in this order; each is sent by another process.
      await locks.query(`begin; ${acquireLockSql(fixture.workspaceId)}`)
      const rejected = send(one, { name: 'Night shift' }, key)
      await waitForWaiting(1)
      const deleted = send(other, { id: body.department.id, action: 'delete' })
      await waitForWaiting(2)
      const created = send(third, { name: 'Night shift' }, key)
      await waitForWaiting(3)
      await locks.query('commit')
      expect((await deleted).status).toBe(200)
      const success = await created
      expect(success.status).toBe(200)
      // The first process has rejected the request before the others ran, and stores its rejection after them.
      const responses = [await rejected]
      for (const target of fixture.replicas) responses.push(await send(target, { name: 'Night shift' }, key))
      for (const response of responses) expect([response.status, response.body]).toEqual([200, success.body])
    } finally {
      await locks.close()
    }
  })

  test('a hundred bans of one player leave one in force, unique case numbers and an intact audit log', async () => {
    const before = await queryServer<{ last: number }>(
      fixture.url,
      'select max(case_number) as last from record',
    )
    const responses = await fixture.requestConcurrently(100, (target) => fixture.banPlayer(target, '261'))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const numbers = responses.map(({ body }) => Number(body.record.caseNumber)).sort((one, two) => one - two)
    const first = Number(before[0]?.last ?? 0) + 1
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => first + index))
    const inForce = "select id from record where user_id = '261' and action = 'ban' and in_force = 1"
    expect(await queryServer(fixture.url, inForce)).toHaveLength(1)
    const { findings } = await fixture.runCommand(['doctor'])
    expect(findings.find(({ check }: { check: string }) => check === 'audit')).toMatchObject({
      verdict: 'ok',
    })
  })

  test('requests with one Idempotency-Key take effect once', async () => {
    const responses = await fixture.requestConcurrently(100, (target) =>
      fixture.banPlayer(target, '99', { 'idempotency-key': 'one-key' }),
    )
    const ids = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.record.id))
    expect(ids.size).toBe(1)
    for (const { status, body } of responses)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await queryServer(fixture.url, "select id from record where user_id = '99'")).toHaveLength(1)
  })

  test('password attempts are limited as with one process', async () => {
    const responses = await fixture.requestConcurrently(30, (target) =>
      signIn(target, 'a wrong secret', 'nobody'),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('a quota admits exactly the remaining requests across replicas', async () => {
    const [one] = fixture.replicas
    const { cookie } = await signIn(one)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const { body } = await request(one, 'POST', '/api/workspaces', { headers, body: { groupName: 'Few' } })
    const workspaceId = body.workspace.id
    const extra = ['--workspace', workspaceId]
    const { apiKey: key } = await fixture.runCommand([
      'key',
      'create',
      ...extra,
      '--name',
      'few',
      '--permissions',
      'all',
    ])
    await fixture.runCommand(['quota', 'set', ...extra, '--requests', '50'])
    const write = (target: ServerUrl) =>
      request(target, 'POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'note', userId: '5', reason: 'x' },
      })
    const statuses = (await fixture.requestConcurrently(100, write)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    const recordsSql = `select id from record where workspace_id = '${workspaceId}'`
    expect(await queryServer(fixture.url, recordsSql)).toHaveLength(50)
  })

  test('a rate limit applies across replicas, within a burst for each additional one', async () => {
    const limited = { REEVE_KEY_RATE_PER_MINUTE: '600' }
    const pair = await Promise.all([fixture.startReplica(limited), fixture.startReplica(limited)])
    const { apiKey } = await fixture.createKey('fast')
    await waitForRateSync(pair[0], pair[1], (await fixture.createKey('fast')).apiKey)
    await waitForRateSync(pair[1], pair[0], (await fixture.createKey('fast')).apiKey)
    const startedAt = performance.now()
    const singleProcessLimit = () => 100 + (performance.now() - startedAt) / 100
    let allowed = 0
    let leastAllowed = 0
    // A simultaneous burst at both, then as many requests as they accept: the last batch has a rejected one.
    for (let batchSize = 300, isLast = false; !isLast; batchSize = 20) {
      leastAllowed = singleProcessLimit() * 0.9
      const responses = await Promise.all(
        Array.from({ length: batchSize }, (_, index) =>
          fixture.listDepartments(pair[index % 2 === 0 ? 0 : 1], apiKey),
        ),
      )
      const accepted = responses.filter(({ status }) => status === 200).length
      allowed += accepted
      isLast = performance.now() - startedAt >= 2000 && accepted < batchSize
    }
    expect(allowed).toBeLessThanOrEqual(singleProcessLimit() + 100)
    expect(allowed).toBeGreaterThan(leastAllowed)
    await Promise.all(pair.map(({ stop }) => stop()))
  })

  test('every request is counted', async () => {
    const countRequests = async () => {
      const rows = await queryServer<{ calls: number }>(
        fixture.url,
        "select sum(calls) as calls from usage where endpoint = 'departments'",
      )
      return Number(rows[0]?.calls ?? 0)
    }
    const before = await countRequests()
    await fixture.requestConcurrently(100, (target) => fixture.listDepartments(target, fixture.apiKey))
    await measureUntil(async () => (await countRequests()) >= before + 100)
  })
})
