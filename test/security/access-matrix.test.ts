import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { DocumentedRule } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { type Instance, openInstance, type TestResponse } from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import { setArchived } from '../support/workspace-states.ts'
import { createAccessCallers } from './access-callers.ts'
import { ACCEPTED, type AccessCaller, type AccessProbe, deriveVerdict } from './access-verdict.ts'
import { type PermissionChoice, permissionChoices } from './permission-choices.ts'
import { listKnownRoutes, toExpectedRule } from './route-access.ts'
import { listRoutes, type Route, takesBody, toCurrentName } from './routes.ts'

/** A field that no route has. An authorized request fails for it, and only for it, so the matrix changes nothing. */
const PROBE = 'accessProbe'
/** Opens every lock but that of the caller: a value of the path that names nothing. */
const PATH_VALUE = 'none'

let instance: Instance
let routes: (Route & { rule: DocumentedRule })[]
let callers: AccessCaller[]

beforeAll(async () => {
  instance = await openInstance()
  callers = await createAccessCallers(instance)
  routes = listRoutes(instance).flatMap((route) => {
    const rule = route.rule && toExpectedRule(toCurrentName(route), route.rule)
    return rule ? [{ ...route, rule }] : []
  })
}, 60_000)
afterAll(() => instance.close())

test('every route has a rule', () => {
  const missing = listRoutes(instance).filter(({ rule }) => rule === undefined)
  expect(
    missing.map(({ name }) => `${name} has no rule: declare its \`permission\``),
    'the gate checks only routes with a rule',
  ).toEqual([])
})

test('the rule of every route is the one that is written down in route-access.ts', () => {
  const registered = listRoutes(instance)
  const problems = registered.flatMap(({ rule, ...route }) => {
    const name = toCurrentName(route)
    const expected = rule && toExpectedRule(name, rule)
    if (rule && !expected) return [`${name} is new: write down who may call it`]
    return Bun.deepEquals(rule, expected) ? [] : [`${name}: ${JSON.stringify({ expected, actual: rule })}`]
  })
  expect(problems).toEqual([])
  const names = new Set(registered.map(toCurrentName))
  expect(listKnownRoutes().filter((name) => !names.has(name))).toEqual([])
})

/** Whether only the fields of a request decide what it requires. */
const decidesByFields = (rule: DocumentedRule): boolean =>
  rule.dependsOnRequest || rule.worksWhenArchived === 'depends' || rule.requiresVerification === 'depends'

test('a route whose rule says that the request decides has its requests in permission-choices.ts', () => {
  const problems = routes.flatMap((route) => {
    const choices = permissionChoices[toCurrentName(route)]
    if (decidesByFields(route.rule) && !choices)
      return [`${route.name} decides by its fields: add each request and its permission`]
    if (!decidesByFields(route.rule) && choices) return [`${route.name} requires one permission: remove it`]
    const covered = new Set(choices?.flatMap(({ forKey, forSession }) => [forKey, forSession]))
    return route.rule.dependsOnRequest
      ? [...new Set(route.rule.permissions)]
          .filter((permission) => !covered.has(permission))
          .map((permission) => `${route.name}: add a request that requires ${permission}`)
      : []
  })
  expect(problems).toEqual([])
  const names = new Set(routes.map(toCurrentName))
  expect(Object.keys(permissionChoices).filter((name) => !names.has(name))).toEqual([])
})

/** The requests of a route: with its workspace and without, one for each choice. */
function* listProbes(route: Route & { rule: DocumentedRule }, isArchived: boolean): Generator<AccessProbe> {
  const { rule } = route
  const canName = rule.workspace === 'required' || rule.workspace === 'id'
  const choices: (PermissionChoice | null)[] = decidesByFields(rule)
    ? [...(permissionChoices[toCurrentName(route)] ?? [])]
    : [null]
  for (const choice of choices)
    yield { route, rule, choice, isArchived, namesWorkspace: canName && choice?.namesWorkspace !== false }
  if (rule.workspace === 'required')
    yield { route, rule, choice: choices[0] ?? null, isArchived, namesWorkspace: false }
}

const isRepresentative = ({ name }: AccessCaller): boolean =>
  ['nobody', 'a malformed key', 'an expired session', 'the owner', 'an operator from another site'].includes(
    name,
  )

/** Routes whose credentials are neither keys nor sessions, and what shows who may call them. */
const OWN_CREDENTIALS: Readonly<Record<string, string>> = {
  'GET /metrics': 'a token of its own: contract/metrics.test.ts',
}

const WORKSPACE_FIELDS = { required: 'workspaceId', id: 'id', own: '', none: '' } as const

function send({ route, rule, choice, namesWorkspace }: AccessProbe, caller: AccessCaller) {
  const query = new URLSearchParams()
  const body: Record<string, string> = {}
  const isInBody = takesBody(route)
  for (const [name, value] of Object.entries(choice?.fields ?? {})) {
    if (isInBody) body[name] = value
    else query.set(name, value)
  }
  const workspaceField = WORKSPACE_FIELDS[rule.workspace]
  if (namesWorkspace) {
    const hasQueryField = route.queryFields?.some(({ name }) => name === workspaceField)
    if (hasQueryField) query.set(workspaceField, caller.workspaceId)
    else body[workspaceField] = caller.workspaceId
  }
  if (route.queryFields !== null) query.set(PROBE, '1')
  else if (isInBody) body[PROBE] = '1'
  const path = route.path.replace(/\*|:[A-Za-z]+/g, PATH_VALUE)
  return instance.request(route.method, `${path}?${query}`, {
    ...caller.as,
    ...(Object.keys(body).length > 0 ? { body } : {}),
  })
}

/** The verdict of a response: `accepted` if only the probe was rejected, which is the last check before the handler. */
function readVerdict({ status, body, text }: TestResponse, { route, rule }: AccessProbe): string {
  const details: { field: string }[] = body?.details ?? []
  if (status === 400 && details.some(({ field }) => field === PROBE)) return ACCEPTED
  const verdict = [status, body?.code, body?.reason, body?.permission].filter((part) => part !== undefined)
  if (rule.caller === 'anyone' && body?.reason === undefined) return ACCEPTED
  return status < 400
    ? `${status}: it ignores unknown fields; declare \`query: NoFields\` for ${route.name}`
    : verdict.join(' ') || text
}

async function expectVerdicts(isArchived: boolean, selected: readonly AccessCaller[]): Promise<number> {
  const before = await readStoredRows(instance)
  const wrong: string[] = []
  let sent = 0
  for (const route of routes.filter(({ name }) => !(name in OWN_CREDENTIALS))) {
    for (const probe of listProbes(route, isArchived)) {
      // Nobody is asked for credentials there, so a few callers are enough.
      for (const caller of probe.rule.caller === 'anyone' ? selected.filter(isRepresentative) : selected) {
        const expected = deriveVerdict(probe, caller)
        const actual = readVerdict(await send(probe, caller), probe)
        sent += 1
        if (actual === expected) continue
        const fields = JSON.stringify(probe.choice?.fields ?? {})
        const target = probe.namesWorkspace ? '' : ', no workspace named'
        wrong.push(`${route.name} ${fields}${target}, ${caller.name}: expected ${expected}, got ${actual}`)
      }
    }
  }
  expect(wrong.slice(0, 40), `${wrong.length} of ${sent} verdicts differ from route-access.ts`).toEqual([])
  expect(await readStoredRows(instance)).toEqual(before)
  // The pages of the portal are unavailable before `bun run build`.
  const isUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable'
  expect(instance.unexpectedErrors.filter((error) => !isUnavailable(error))).toEqual([])
  return sent
}

describe('every route answers every kind of caller as route-access.ts says', () => {
  test('in a workspace in use', async () => {
    expect(await expectVerdicts(false, callers)).toBeGreaterThan(10_000)
  }, 120_000)

  test('in an archived workspace', async () => {
    const ids = new Set(callers.map(({ workspaceId }) => workspaceId))
    for (const id of ids) await setArchived(instance, id, true)
    const selected = callers.filter(({ name }) => !name.includes('everything but'))
    expect(await expectVerdicts(true, selected)).toBeGreaterThan(5000)
    for (const id of ids) await setArchived(instance, id, false)
  }, 120_000)
})
