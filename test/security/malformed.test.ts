import { afterAll, beforeAll, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { endpoints } from '@reeve/core'
import fc from 'fast-check'
import { type Instance, LEGACY_PREFIX, openInstance, PUBLIC_URL } from '../support/instance.ts'
import { type MalformedBody, malformedBody } from '../support/malformed-bodies.ts'

const BODY_COUNT = 10_000

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
interface GeneratedRequest {
  readonly body: MalformedBody
  readonly target: number
  readonly callerKind: 'key' | 'session' | 'stranger'
  readonly hasWorkspaceId: boolean
  readonly extraHeaders: Readonly<Record<string, string>>
}

const generatedRequests: fc.Arbitrary<GeneratedRequest> = fc.record({
  body: malformedBody,
  target: fc.nat(),
  callerKind: fc.oneof(
    { weight: 7, arbitrary: fc.constant('key' as const) },
    fc.constantFrom('session' as const, 'stranger' as const),
  ),
  hasWorkspaceId: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  extraHeaders: fc.oneof(
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

test(`no malformed body of ${BODY_COUNT} is answered with a 5xx, or with anything but JSON that says why`, async () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
  const writeTargets = targets()
  expect(writeTargets.length).toBeGreaterThanOrEqual(16)
  const statusCounts = new Map<number, number>()
  const send = async ({ body, target, callerKind, hasWorkspaceId, extraHeaders }: GeneratedRequest) => {
    const { method, path } = writeTargets[target % writeTargets.length] ?? { method: '', path: '' }
    const response = await instance.app.fetch(
      new Request(`${PUBLIC_URL}${path}${hasWorkspaceId ? `?workspaceId=${workspace.id}` : ''}`, {
        method,
        headers: { 'content-type': 'application/json', ...callers()[callerKind], ...extraHeaders },
        body: body.bytes,
      }),
    )
    const text = await response.text()
    const failureMessage = `FC_SEED=${seed}: ${body.kind}, ${method} ${path} as ${callerKind}: ${response.status} ${text.slice(0, 300)}
      ${new TextDecoder().decode(body.bytes.slice(0, 300))}`
    statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1)
    expect(response.status, failureMessage).toBeLessThan(500)
    expect(response.headers.get('content-type'), failureMessage).toStartWith('application/json')
    const answered = JSON.parse(text) as { error?: unknown; code?: unknown; requestId?: unknown }
    if (response.status === 200) return expect(answered.error, failureMessage).toBeUndefined()
    expect(answered.error, failureMessage).toBeString()
    expect(answered.code, failureMessage).toBeString()
    // A first answer that is given again names the call that it was given to.
    const isReplayed = response.headers.get('idempotent-replayed') === 'true'
    if (!isReplayed) expect(answered.requestId, failureMessage).toBe(response.headers.get('x-request-id'))
    expect(text.length, failureMessage).toBeLessThan(100_000)
  }
  for (const attempt of fc.sample(generatedRequests, { numRuns: BODY_COUNT, seed })) await send(attempt)
  expect(instance.unexpectedErrors).toEqual([])
  // Each gate that a body can fail at was reached, or the bodies were not malformed enough.
  for (const status of [200, 400, 401, 413, 415])
    expect(statusCounts.get(status) ?? 0, String(status)).toBeGreaterThan(0)
  expect({ ...Object.prototype }).toEqual({})
  expect((await verifyAudit(instance.db.read)).faults).toEqual([])
  const after = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
    key: workspace.key,
  })
  expect(after.status).toBe(200)
}, 60_000)
