import { afterAll, beforeAll, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { endpoints } from '@reeve/core'
import fc from 'fast-check'
import { type Instance, LEGACY_PREFIX, openInstance, PUBLIC_URL } from '../support/instance.ts'
import { type Malformed, malformed } from '../support/malformed.ts'

const BODIES = 10_000

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Every public address that takes a write, under both prefixes. */
const targets = (): { method: string; path: string }[] =>
  instance.app.routes
    .filter(({ method }) => method !== 'GET')
    .filter(({ path }) =>
      ['/api', LEGACY_PREFIX].some((prefix) =>
        endpoints.some((endpoint) => path === `${prefix}/${endpoint}`),
      ),
    )

const callers = () => ({
  key: { authorization: `Bearer ${workspace.key}` },
  session: { cookie: `reeve_session=${workspace.ownerSession}`, 'sec-fetch-site': 'same-origin' },
  stranger: {},
})

/** One call, put together from what fast-check chose. */
interface Attempt {
  readonly body: Malformed
  readonly target: number
  readonly who: 'key' | 'session' | 'stranger'
  readonly names: boolean
  readonly more: Readonly<Record<string, string>>
}

const attempts: fc.Arbitrary<Attempt> = fc.record({
  body: malformed,
  target: fc.nat(),
  who: fc.oneof(
    { weight: 7, arbitrary: fc.constant('key' as const) },
    fc.constantFrom('session' as const, 'stranger' as const),
  ),
  names: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  more: fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    fc.constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'idempotency-key': 'again' },
      { 'if-match': '"1"' },
      { 'if-match': 'no version' },
      { 'content-encoding': 'gzip' },
    ),
  ),
})

test(`no malformed body of ${BODIES} is answered with a 5xx, or with anything but JSON that says why`, async () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
  const where = targets()
  expect(where.length).toBeGreaterThanOrEqual(16)
  const seen = new Map<number, number>()
  const send = async ({ body, target, who, names, more }: Attempt) => {
    const { method, path } = where[target % where.length] ?? { method: '', path: '' }
    const response = await instance.app.fetch(
      new Request(`${PUBLIC_URL}${path}${names ? `?workspaceId=${workspace.id}` : ''}`, {
        method,
        headers: { 'content-type': 'application/json', ...callers()[who], ...more },
        body: body.bytes,
      }),
    )
    const text = await response.text()
    const story = `FC_SEED=${seed}: ${body.kind}, ${method} ${path} as ${who}: ${response.status} ${text.slice(0, 300)}
      ${new TextDecoder().decode(body.bytes.slice(0, 300))}`
    seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    expect(response.status, story).toBeLessThan(500)
    expect(response.headers.get('content-type'), story).toStartWith('application/json')
    const answered = JSON.parse(text) as { error?: unknown; code?: unknown; requestId?: unknown }
    if (response.status === 200) return expect(answered.error, story).toBeUndefined()
    expect(answered.error, story).toBeString()
    expect(answered.code, story).toBeString()
    // A first answer that is given again names the call that it was given to.
    const isReplayed = response.headers.get('idempotent-replayed') === 'true'
    if (!isReplayed) expect(answered.requestId, story).toBe(response.headers.get('x-request-id'))
    expect(text.length, story).toBeLessThan(100_000)
  }
  for (const attempt of fc.sample(attempts, { numRuns: BODIES, seed })) await send(attempt)
  expect(instance.failures).toEqual([])
  // Each gate that a body can fail at was reached, or the bodies were not malformed enough.
  for (const status of [200, 400, 401, 413, 415])
    expect(seen.get(status) ?? 0, String(status)).toBeGreaterThan(0)
  expect({ ...Object.prototype }).toEqual({})
  expect((await verifyAudit(instance.db.read)).faults).toEqual([])
  const after = await instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, {
    key: workspace.key,
  })
  expect(after.status).toBe(200)
}, 60_000)
