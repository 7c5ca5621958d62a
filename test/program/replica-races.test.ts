import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { queryServer } from '@reeve/db/test-cluster'
import type { Running } from '../support/program.ts'
import { type Answering, call, openReplicas, type Replicas, signIn, timeUntil } from './replicas.ts'

let at: Replicas
beforeAll(async () => {
  at = await openReplicas()
})
afterAll(() => at?.close())

/** Waits until a replica has heard what another one let a caller through with: its own calls take less than that. */
async function hasHeard(from: Running, by: Running, key: string): Promise<void> {
  await Promise.all(Array.from({ length: 50 }, () => at.departments(from, key)))
  let asked = 0
  await timeUntil(async () => {
    asked += 1
    const left = /r=(\d+)/.exec((await at.departments(by, key)).headers.get('ratelimit') ?? '')?.[1]
    // Something that takes a moment, so that its own calls do not use the bucket up.
    await queryServer(at.url, 'select 1')
    return Number(left) < 100 - asked - 20
  })
}

describe('of many at once over three replicas', () => {
  test('a hundred bans of one player leave one in force, every case once, and the log whole', async () => {
    const before = await queryServer<{ last: number }>(at.url, 'select max(case_number) as last from record')
    const answers = await at.atOnce(100, (on) => at.ban(on, '261'))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const numbers = answers.map(({ body }) => Number(body.record.caseNumber)).sort((one, two) => one - two)
    const first = Number(before[0]?.last ?? 0) + 1
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => first + index))
    const inForce = "select id from record where user_id = '261' and action = 'ban' and in_force = 1"
    expect(await queryServer(at.url, inForce)).toHaveLength(1)
    const { findings } = await at.command(['doctor'])
    expect(findings.find(({ check }: { check: string }) => check === 'audit')).toMatchObject({
      verdict: 'ok',
    })
  })

  test('requests under one Idempotency-Key have one effect', async () => {
    const answers = await at.atOnce(100, (on) => at.ban(on, '99', { 'idempotency-key': 'one-key' }))
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.record.id))
    expect(ids.size).toBe(1)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await queryServer(at.url, "select id from record where user_id = '99'")).toHaveLength(1)
  })

  test('guesses at a password are let through as often as at one process', async () => {
    const answers = await at.atOnce(30, (on) => signIn(on, 'a wrong secret', 'nobody'))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('a quota lets through as many as are left, whichever answers', async () => {
    const [one] = at.replicas
    const { cookie } = await signIn(one)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const { body } = await call(one, 'POST', '/api/workspaces', { headers, body: { groupName: 'Few' } })
    const workspaceId = body.workspace.id
    const extra = ['--workspace', workspaceId]
    const { apiKey: key } = await at.command([
      'key',
      'create',
      ...extra,
      '--name',
      'few',
      '--permissions',
      'all',
    ])
    await at.command(['quota', 'set', ...extra, '--calls', '50'])
    const write = (on: Answering) =>
      call(on, 'POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'note', userId: '5', reason: 'x' },
      })
    const statuses = (await at.atOnce(100, write)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    const kept = `select id from record where workspace_id = '${workspaceId}'`
    expect(await queryServer(at.url, kept)).toHaveLength(50)
  })

  test('a rate holds over both, but for a tenth of a minute', async () => {
    const limited = { REEVE_KEY_RATE_PER_MINUTE: '600' }
    const pair = await Promise.all([at.start(limited), at.start(limited)])
    const { apiKey } = await at.keyNamed('fast')
    await hasHeard(pair[0], pair[1], (await at.keyNamed('fast')).apiKey)
    await hasHeard(pair[1], pair[0], (await at.keyNamed('fast')).apiKey)
    const since = performance.now()
    let allowed = 0
    // A burst at both at the same moment, and then as many as they answer.
    for (let many = 300; performance.now() - since < 2000; many = 20) {
      const answers = await Promise.all(
        Array.from({ length: many }, (_, index) => at.departments(pair[index % 2 === 0 ? 0 : 1], apiKey)),
      )
      allowed += answers.filter(({ status }) => status === 200).length
    }
    const atOneProcess = 100 + (performance.now() - since) / 100
    expect(allowed).toBeLessThanOrEqual(atOneProcess + 60)
    expect(allowed).toBeGreaterThan(atOneProcess * 0.9)
    await Promise.all(pair.map(({ stop }) => stop()))
  })

  test('calls are all counted', async () => {
    const counted = async () => {
      const rows = await queryServer<{ calls: number }>(
        at.url,
        "select sum(calls) as calls from usage where endpoint = 'departments'",
      )
      return Number(rows[0]?.calls ?? 0)
    }
    const before = await counted()
    await at.atOnce(100, (on) => at.departments(on, at.apiKey))
    await timeUntil(async () => (await counted()) >= before + 100)
  })
})
