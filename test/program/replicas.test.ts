import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { askServer, cuttingProxy, dropDatabase, newDatabase } from '@reeve/db/test-cluster'
import { poolerBefore } from '@reeve/db/test-pooler'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { followerOf } from '../support/follow.ts'
import { type Front, startNginx } from '../support/nginx.ts'
import { type Running, reeve, serve } from '../support/program.ts'

const PASSWORD = 'a long enough secret'
const INIT = ['init', '--username', 'robin', '--group-name', 'Night Owls', '--key-name', 'game']

/** Whatever a replica keeps in memory holds for no longer than this after it has changed on another one. */
const SOON_MS = 1000

let folder: TemporaryFolder
let url: string
let pooler: Awaited<ReturnType<typeof poolerBefore>>
let replicas: readonly [Running, Running, Running]
/** Stands between the third replica and the database. */
let line: ReturnType<typeof cuttingProxy>
/** Where all three are behind. */
let front: Front
let made: { readonly workspaceId: string; readonly apiKey: string }

const env = () => ({ REEVE_DATABASE_URL: url, REEVE_KEY_RATE_PER_MINUTE: '0' })
const command = async (args: string[], stdin = '') => {
  const ended = await reeve([...args, '--json'], { dataDir: folder.data, env: env(), stdin })
  expect(ended.err).toBe('')
  return JSON.parse(ended.out)
}

beforeAll(async () => {
  folder = temporaryFolder()
  url = await newDatabase('template1')
  line = cuttingProxy(url)
  pooler = await poolerBefore(url)
  // The schema is brought up to date by one of them, while the others wait. The second one's calls go by way of a pooler.
  replicas = await Promise.all([
    serve({ dataDir: folder.data, env: env() }),
    serve({ dataDir: folder.data, env: { ...env(), REEVE_DATABASE_POOLER_URL: pooler.url } }),
    serve({ dataDir: folder.data, env: { ...env(), REEVE_DATABASE_URL: line.url } }),
  ])
  front = await startNginx(replicas.map((replica) => replica.url))
  made = await command([...INIT, '--password-stdin'], PASSWORD)
})
afterAll(async () => {
  await front.stop()
  const codes = await Promise.all(replicas.map(({ stop }) => stop()))
  pooler.stop()
  await dropDatabase(url)
  folder.remove()
  expect(codes).toEqual([0, 0, 0])
})

interface Given {
  readonly key?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** Whatever answers: one of the replicas, or nginx before them. */
type Answering = Pick<Running, 'url'>

async function call({ url }: Answering, method: string, path: string, given: Given = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(given.key === undefined ? {} : { authorization: `Bearer ${given.key}` }),
      ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given.headers,
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  })
  // The tests look into bodies of every shape; what they find is asserted, not typed.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body = (await response.json()) as any
  return { status: response.status, headers: response.headers, body }
}

const departments = (on: Answering, key: string) =>
  call(on, 'GET', `/api/departments?workspaceId=${made.workspaceId}`, { key })
const ban = (on: Answering, userId: string, headers: Record<string, string> = {}) =>
  call(on, 'POST', '/api/moderation', {
    key: made.apiKey,
    headers,
    body: { workspaceId: made.workspaceId, action: 'ban', userId, reason: 'Exploiting' },
  })

/** Many calls at once through nginx, which gives each replica its share. */
const atOnce = <Answer>(many: number, step: (on: Answering) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: many }, () => step(front)))

/** How long it takes until something holds, asked for again and again; fails where it never does. */
async function timeUntil(holds: () => Promise<boolean>): Promise<number> {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > 20 * SOON_MS) throw new Error('it never held')
  }
  return performance.now() - since
}

async function signIn(on: Answering, password = PASSWORD, username = 'robin') {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await call(on, 'POST', '/portal/api/sign-in', { headers, body: { username, password } })
  return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Waits until a replica has heard what another one let a caller through with: its own calls take less than that. */
async function hasHeard(from: Running, by: Running, key: string): Promise<void> {
  await Promise.all(Array.from({ length: 50 }, () => departments(from, key)))
  let asked = 0
  await timeUntil(async () => {
    asked += 1
    const left = /r=(\d+)/.exec((await departments(by, key)).headers.get('ratelimit') ?? '')?.[1]
    // Something that takes a moment, so that its own calls do not use the bucket up.
    await askServer(url, 'select 1')
    return Number(left) < 100 - asked - 20
  })
}

describe('what changes on one replica holds on the other within a second', () => {
  test('a key that was revoked', async () => {
    const [one] = replicas
    const extra = ['--workspace', made.workspaceId, '--name', 'short', '--permissions', 'all']
    const { keyId, apiKey } = await command(['key', 'create', ...extra])
    for (const on of replicas) expect((await departments(on, apiKey)).status).toBe(200)
    const { cookie } = await signIn(one)
    const revoked = await call(one, 'POST', '/portal/api/api-keys/revoke', {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: { workspaceId: made.workspaceId, id: keyId },
    })
    expect(revoked.status).toBe(200)
    const isRefused = (on: Running) => async () => (await departments(on, apiKey)).status === 401
    for (const took of await Promise.all(replicas.map((on) => timeUntil(isRefused(on)))))
      expect(took).toBeLessThan(SOON_MS)
  })

  test('an endpoint that was switched off, by a command too', async () => {
    const control = (mode: string) =>
      command([
        'control',
        'set',
        '--workspace',
        made.workspaceId,
        '--endpoint',
        'departments',
        '--mode',
        mode,
      ])
    for (const on of replicas) expect((await departments(on, made.apiKey)).status).toBe(200)
    await control('off')
    for (const on of replicas)
      expect(await timeUntil(async () => (await departments(on, made.apiKey)).status === 403)).toBeLessThan(
        SOON_MS,
      )
    await control('on')
    for (const on of replicas)
      expect(await timeUntil(async () => (await departments(on, made.apiKey)).status === 200)).toBeLessThan(
        SOON_MS,
      )
  })

  test('a session that has ended', async () => {
    const [one, other] = replicas
    const { cookie } = await signIn(one)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    expect((await call(other, 'GET', '/portal/api/me', { headers })).status).toBe(200)
    await call(one, 'POST', '/portal/api/sign-out', { headers, body: {} })
    expect((await call(other, 'GET', '/portal/api/me', { headers })).status).toBe(401)
  })

  test('what browsers on the other one look at is told to have changed', async () => {
    const [one, other] = replicas
    const { cookie } = await signIn(other)
    const live = `${other.url}/portal/api/live?workspaceId=${made.workspaceId}`
    const follower = followerOf(await fetch(live, { headers: { cookie } }))
    await follower.until(() => follower.lastId() !== '')
    const since = performance.now()
    const { body } = await ban(one, '77')
    expect(await follower.next('moderation')).toMatchObject({ sequence: body.record.sequence })
    expect(performance.now() - since).toBeLessThan(SOON_MS)
    await follower.close()
  })

  test('also where a replica lost what it is told by', async () => {
    const [one, other] = replicas
    const extra = ['--workspace', made.workspaceId, '--name', 'deaf', '--permissions', 'all']
    const { keyId, apiKey } = await command(['key', 'create', ...extra])
    for (const on of [one, other]) expect((await departments(on, apiKey)).status).toBe(200)
    // Nobody is told of this change: the row alone is changed, while every listening connection is cut.
    await askServer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and (query ilike 'listen %' or query = 'select 1')`,
    )
    await askServer(url, `update api_key set revoked_at = 1 where id = '${keyId}'`)
    for (const on of [one, other])
      expect(await timeUntil(async () => (await departments(on, apiKey)).status === 401)).toBeLessThan(
        SOON_MS,
      )
  })
})

describe('a key that was revoked while a replica had been cut off from the database', () => {
  const isLet = async (on: Answering, key: string) => {
    const path = `/api/departments?workspaceId=${made.workspaceId}`
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
      const [one, other, third] = replicas
      const extra = ['--workspace', made.workspaceId, '--name', how, '--permissions', 'all']
      const { keyId, apiKey } = await command(['key', 'create', ...extra])
      for (const on of replicas) expect(await isLet(on, apiKey)).toBe(true)
      const { cookie } = await signIn(one)
      line.shut(how)
      const revoked = await call(one, 'POST', '/portal/api/api-keys/revoke', {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        body: { workspaceId: made.workspaceId, id: keyId },
      })
      expect(revoked.status).toBe(200)
      for (const took of await Promise.all([letFor(other, apiKey), letFor(third, apiKey)]))
        expect(took).toBeLessThan(SOON_MS)
      line.open()
      await timeUntil(async () => (await departments(third, apiKey)).status === 401)
    })
  }
})

describe('of many at once over three replicas', () => {
  test('a hundred bans of one player leave one in force, every case once, and the log whole', async () => {
    const before = await askServer<{ last: number }>(url, 'select max(case_number) as last from record')
    const answers = await atOnce(100, (on) => ban(on, '261'))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const numbers = answers.map(({ body }) => Number(body.record.caseNumber)).sort((one, two) => one - two)
    const first = Number(before[0]?.last ?? 0) + 1
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => first + index))
    const inForce = "select id from record where user_id = '261' and action = 'ban' and in_force = 1"
    expect(await askServer(url, inForce)).toHaveLength(1)
    const { findings } = await command(['doctor'])
    expect(findings.find(({ check }: { check: string }) => check === 'audit')).toMatchObject({
      verdict: 'ok',
    })
  })

  test('requests under one Idempotency-Key have one effect', async () => {
    const answers = await atOnce(100, (on) => ban(on, '99', { 'idempotency-key': 'one-key' }))
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.record.id))
    expect(ids.size).toBe(1)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await askServer(url, "select id from record where user_id = '99'")).toHaveLength(1)
  })

  test('guesses at a password are let through as often as at one process', async () => {
    const answers = await atOnce(30, (on) => signIn(on, 'a wrong secret', 'nobody'))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test('a quota lets through as many as are left, whichever answers', async () => {
    const [one] = replicas
    const { cookie } = await signIn(one)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const { body } = await call(one, 'POST', '/api/workspaces', { headers, body: { groupName: 'Few' } })
    const workspaceId = body.workspace.id
    const extra = ['--workspace', workspaceId]
    const { apiKey: key } = await command([
      'key',
      'create',
      ...extra,
      '--name',
      'few',
      '--permissions',
      'all',
    ])
    await command(['quota', 'set', ...extra, '--calls', '50'])
    const write = (on: Answering) =>
      call(on, 'POST', '/api/moderation', {
        key,
        body: { workspaceId, action: 'note', userId: '5', reason: 'x' },
      })
    const statuses = (await atOnce(100, write)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    const kept = `select id from record where workspace_id = '${workspaceId}'`
    expect(await askServer(url, kept)).toHaveLength(50)
  })

  test('a rate holds over both, but for a tenth of a minute', async () => {
    const limited = { ...env(), REEVE_KEY_RATE_PER_MINUTE: '600' }
    const pair = await Promise.all([
      serve({ dataDir: folder.data, env: limited }),
      serve({ dataDir: folder.data, env: limited }),
    ])
    const extra = ['--workspace', made.workspaceId, '--name', 'fast', '--permissions', 'all']
    const { apiKey } = await command(['key', 'create', ...extra])
    await hasHeard(pair[0], pair[1], (await command(['key', 'create', ...extra])).apiKey)
    await hasHeard(pair[1], pair[0], (await command(['key', 'create', ...extra])).apiKey)
    const since = performance.now()
    let allowed = 0
    // A burst at both at the same moment, and then as many as they answer.
    for (let many = 300; performance.now() - since < 2000; many = 20) {
      const answers = await Promise.all(
        Array.from({ length: many }, (_, index) => departments(pair[index % 2 === 0 ? 0 : 1], apiKey)),
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
      const rows = await askServer<{ calls: number }>(
        url,
        "select sum(calls) as calls from usage where endpoint = 'departments'",
      )
      return Number(rows[0]?.calls ?? 0)
    }
    const before = await counted()
    await atOnce(100, (on) => departments(on, made.apiKey))
    await timeUntil(async () => (await counted()) >= before + 100)
  })
})
