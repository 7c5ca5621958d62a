import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type FuzzOperation, listOperations } from './fuzz/operations.ts'
import { createRequest, type FuzzRequest, type Plan, plans } from './fuzz/plan.ts'
import { type Actors, startFuzzTarget } from './fuzz/target.ts'
import { collectIds } from './fuzz/values.ts'

const REQUEST_COUNT = Number(process.env.REEVE_FUZZ_REQUESTS ?? 10_000)
const SEED = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31)
const REQUESTS_PER_WORKSPACE = 500

let target: Awaited<ReturnType<typeof startFuzzTarget>>
let operations: FuzzOperation[]

beforeAll(async () => {
  target = await startFuzzTarget()
  operations = await listOperations()
}, 60_000)
afterAll(() => target.close())

async function send(
  plan: Plan,
  index: number,
  operation: FuzzOperation,
  request: FuzzRequest,
  actors: Actors,
) {
  const isOperator = operation.path.startsWith('/admin/')
  const isPublic = operation.path.startsWith('/api/')
  const caller = plan.caller === 'key' && !isPublic ? 'session' : plan.caller
  const session = isOperator ? actors.operatorSession : actors.session
  const search = request.query.size > 0 ? `?${request.query}` : ''
  const sendsBody = request.body !== undefined && operation.method !== 'GET' && operation.method !== 'DELETE'
  return fetch(`${target.server.origin}${operation.path}${search}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      // A client of its own, so that no limit of failed attempts is met.
      'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      ...(sendsBody ? { 'content-type': 'application/json' } : {}),
      ...(caller === 'key' ? { authorization: `Bearer ${actors.key}` } : {}),
      ...(caller === 'session'
        ? { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin' }
        : {}),
    },
    ...(sendsBody ? { body: JSON.stringify(request.body) } : {}),
  })
}

/** What is wrong with a response; null if it is as documented. */
async function findProblem(
  operation: FuzzOperation,
  request: FuzzRequest,
  response: Response,
  actors: Actors,
): Promise<string | null> {
  const status = String(response.status)
  const type = response.headers.get('content-type') ?? ''
  if (response.status >= 500 || response.status === 0) return `${status} ${await response.text()}`
  if (response.status === 200 && request.isInvalid)
    return `an invalid request is accepted: ${await response.text()}`
  if (!operation.statuses.has(status)) {
    const isDownload = response.status === 200 && !type.startsWith('application/json')
    // A stream of changes does not end.
    await response.body?.cancel()
    return isDownload ? null : `${status} is not documented`
  }
  const text = await response.text()
  const validate = operation.validators.get(status)
  if (!validate) return text === '' ? null : `${status} has no schema, but a body: ${text}`
  if (!type.startsWith('application/json')) return `${status} is not JSON: ${text}`
  const body = JSON.parse(text)
  if (response.status === 200) collectIds(actors.pool, body, actors.operatorId)
  const differences = validate(body)
  return differences.length === 0 ? null : `${differences.join(', ')}: ${text}`
}

test(`${REQUEST_COUNT} requests made from the OpenAPI documents get documented responses; FC_SEED=${SEED}`, async () => {
  const sent = new Map<string, number>()
  const accepted = new Map<string, number>()
  const problems: string[] = []
  let actors = await target.createActors()
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const [index, plan] of fc.sample(plans, { numRuns: REQUEST_COUNT, seed: SEED }).entries()) {
    if (index % REQUESTS_PER_WORKSPACE === REQUESTS_PER_WORKSPACE - 1) actors = await target.createActors()
    const operation = operations[plan.operation % operations.length] as FuzzOperation
    const request = createRequest(plan, operation, actors.pool)
    const response = await send(plan, index, operation, request, actors)
    count(sent, operation.name)
    if (response.status === 200) count(accepted, operation.name)
    const problem = await findProblem(operation, request, response, actors)
    if (problem !== null)
      problems.push(
        `${operation.name}?${request.query} ${JSON.stringify(request.body)?.slice(0, 400)} as ${plan.caller} (${plan.kind}): ${problem.slice(0, 500)}`,
      )
    if (response.status !== 200) continue
    if (ENDS_SESSION.has(operation.name)) actors = await target.renewSession(actors)
    if (TAKES_ACCESS.has(operation.name)) actors = await target.createActors()
  }
  expect(problems.slice(0, 20), `FC_SEED=${SEED} repeats this; ${problems.length} problems`).toEqual([])
  // Some need what no generator knows, such as the token of an invitation.
  const rejected = operations.filter(({ name }) => !accepted.has(name)).map(({ name }) => name)
  const share = 1 - rejected.length / operations.length
  expect(
    share,
    `share of operations that accepted a request: with too few, the requests show nothing; rejected: ${rejected.join(', ')}`,
  ).toBeGreaterThan(0.7)
  expect([...sent.keys()].length).toBe(operations.length)
}, 300_000)

/** The account has to sign in again. */
const ENDS_SESSION: ReadonlySet<string> = new Set([
  'POST /portal/api/sign-out',
  'DELETE /portal/api/sessions',
])
/** The password or the ownership is another one afterwards. */
const TAKES_ACCESS: ReadonlySet<string> = new Set(['POST /portal/api/password', 'POST /portal/api/ownership'])
