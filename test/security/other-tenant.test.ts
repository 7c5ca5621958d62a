import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { DocumentedRule } from '@reeve/auth'
import { wire } from '@reeve/core'
import {
  type Instance,
  openInstance,
  type RequestOptions,
  type TestResponse,
  UNKNOWN_ID,
} from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import {
  completeRequest,
  isIdField,
  listActions,
  listAllFields,
  type RequestFields,
  sendFields,
  withId,
} from './complete-request.ts'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { INDIFFERENT_FIELDS, OTHER_IDS, PREVIEW_FIELDS, RECORDED_READS } from './other-tenant-fields.ts'
import { type Field, listRoutes, type Route, toCurrentName } from './routes.ts'
import { createTenant, listCandidates, type Tenant } from './tenant.ts'

type GuardedRoute = Route & { readonly rule: DocumentedRule }

let instance: Instance
let routes: GuardedRoute[]
let victim: Tenant
let attacker: Tenant
/** Where requests are tried out. */
let laboratory: Laboratory

beforeAll(async () => {
  instance = await openInstance()
  laboratory = await openLaboratory()
  victim = await createTenant(instance)
  attacker = await createTenant(instance)
  // Operators read and change every workspace, and everybody the public files.
  routes = listRoutes(instance).flatMap((route) =>
    route.rule?.caller === 'any' || route.rule?.caller === 'session' ? [{ ...route, rule: route.rule }] : [],
  )
}, 60_000)
afterAll(() => Promise.all([instance.close(), laboratory.close()]))

test('every field that is named like an id documents one', () => {
  const problems = routes.flatMap((route) =>
    listAllFields(route)
      .filter(
        ({ name }) =>
          /(?:^id|^ids|Id|Ids)$/.test(name) && !(name in OTHER_IDS || `${route.name} ${name}` in OTHER_IDS),
      )
      .filter((field) => !isIdField(field))
      .map(
        ({ name }) =>
          `${route.name}: give ${name} an example with ${wire.id.example}, or list it in OTHER_IDS`,
      ),
  )
  expect(problems).toEqual([])
})

const listCallers = ({ rule }: GuardedRoute): RequestOptions[] =>
  rule.caller === 'any'
    ? [{ session: attacker.session }, { key: attacker.key }]
    : [{ session: attacker.session }]

/** The response without what differs between any two requests. */
const normalize = ({ status, headers, text, body }: TestResponse, id: string): string => {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
  const requestId = body?.requestId
  const response = requestId === undefined ? text : text.replaceAll(requestId, '<request>')
  return JSON.stringify([status, kept.sort(), response.replaceAll(id, '<id>')])
}

/** Finds fields with which an id of the caller's own gets further than one that never existed. */
async function findRequests(route: GuardedRoute, field: Field): Promise<RequestFields[]> {
  const found = new Map<string, RequestFields>()
  for (const action of listActions(route)) {
    const request = await findRequest(route, field, action)
    if (request !== null) found.set(JSON.stringify(request), request)
  }
  return [...found.values()]
}

async function findRequest(
  route: GuardedRoute,
  field: Field,
  action: string | undefined,
): Promise<RequestFields | null> {
  const { owner } = laboratory
  const send = (fields: RequestFields) => laboratory.send(route, fields)
  for (const position of [0, 1]) {
    const idFor = (other: Field) => listCandidates(owner, other)[position] ?? ''
    for (const id of listCandidates(owner, field)) {
      const given = {
        ...(route.rule.workspace === 'required' && { workspaceId: owner.workspaceId }),
        [field.name]: withId(field, id),
        ...(action !== undefined && { action }),
        ...PREVIEW_FIELDS[toCurrentName(route)]?.(action),
      }
      const { fields, response } = await completeRequest(send, route, given, idFor)
      const unknown = await send({ ...fields, [field.name]: withId(field, UNKNOWN_ID) })
      if (summarize(response, id) === summarize(unknown, id)) continue
      const { workspaceId: _, ...others } = fields
      return replaceIds(others, owner, attacker)
    }
  }
  return null
}

/** What a response says about an id: without those of what the request has created, and whether it is this one or an unknown one. */
const summarize = (response: TestResponse, id: string): string =>
  normalize(response, id)
    .replaceAll(UNKNOWN_ID, '<id>')
    .replace(ANY_ID, (other) => (isOwnId(other) ? other : '<new>'))

const isOwnId = (id: string): boolean => Object.values(laboratory.owner.ids).some((ids) => ids.includes(id))

const ANY_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Replaces the ids of a tenant in fields by those of another one. */
function replaceIds(fields: RequestFields, from: Tenant, to: Tenant): RequestFields {
  let text = JSON.stringify(fields)
  for (const [table, ids] of Object.entries(from.ids))
    for (const [index, id] of ids.entries()) text = text.replaceAll(id, to.ids[table]?.[index] ?? UNKNOWN_ID)
  return JSON.parse(text) as RequestFields
}

/** Sends each id of the victim and one that never existed. @returns what differs */
async function attack(route: GuardedRoute, field: Field, request: RequestFields): Promise<string[]> {
  const problems: string[] = []
  for (const as of listCallers(route)) {
    const send = (id: string) => {
      const base = route.rule.workspace === 'required' ? { workspaceId: attacker.workspaceId } : {}
      return sendFields(instance, route, { ...base, ...request, [field.name]: withId(field, id) }, as)
    }
    const unknown = normalize(await send(UNKNOWN_ID), UNKNOWN_ID)
    for (const [table, ids] of Object.entries(victim.ids)) {
      for (const id of new Set([ids[0], ids.at(-1)])) {
        const actual = normalize(await send(String(id)), String(id))
        // Otherwise the limit of attempts is reached.
        if (request.password !== undefined) await instance.storage.query('delete from sign_in_attempt')
        if (actual === unknown) continue
        problems.push(
          `${route.name} ${JSON.stringify(request)}: ${field.name} of a foreign ${table}: ${actual}, unknown: ${unknown}`,
        )
      }
    }
  }
  return problems
}

test('an id of another workspace gets the bytes of one that never existed, and changes nothing', async () => {
  const problems: string[] = []
  const requestsByName = new Map<string, RequestFields[]>()
  let attacks = 0
  let before = await readStoredRows(instance)
  for (const route of routes) {
    const fields = listAllFields(route).filter(isIdField)
    if (fields.length === 0) continue
    for (const field of fields) {
      const name = `${toCurrentName(route)} ${field.name}`
      // What the gate says to a workspace that is named, the access matrix shows.
      const isOfGate = field.name === 'workspaceId' && route.rule.workspace === 'required'
      const requests = requestsByName.get(name) ?? (isOfGate ? [{}] : await findRequests(route, field))
      requestsByName.set(name, requests)
      if (requests.length === 0 && !(name in INDIFFERENT_FIELDS))
        problems.push(`${name}: no generated request gets further with an own id than with an unknown one`)
      attacks += requests.length
      for (const request of requests.length > 0 ? requests : [{}])
        problems.push(...(await attack(route, field, request)))
    }
    const after = await readStoredRows(instance)
    const isCompared = (row: string): boolean =>
      !(RECORDED_READS.has(route.name) && row.includes(attacker.workspaceId))
    for (const table of Object.keys(after))
      if (!Bun.deepEquals(after[table]?.filter(isCompared), before[table]?.filter(isCompared)))
        problems.push(`${route.name}: an id of another workspace changed ${table}`)
    before = after
  }
  expect(problems.slice(0, 60)).toEqual([])
  expect(attacks).toBeGreaterThan(100)
}, 300_000)

test('a batch refuses records of another workspace like one that never existed, and leaves them alone', async () => {
  const { workspaceId, session } = attacker
  const recordIds = [...(victim.ids.record ?? []), UNKNOWN_ID]
  const before = (await readStoredRows(instance)).record
  for (const fields of [
    { action: 'comment', value: 'Mine' },
    { action: 'revoke', reason: 'Mine' },
  ]) {
    const body = { workspaceId, recordIds, ...fields }
    const started = await instance.request('POST', '/api/moderation/batches', { session, body })
    const query = new URLSearchParams({ workspaceId, id: started.body.batch.id })
    const { body: ended } = await instance.request('GET', `/api/moderation/batches?${query}`, { session })
    const { message } = ended.results.at(-1)
    const refused = {
      state: 'failed',
      recordId: null,
      caseNumber: null,
      userId: null,
      userUsername: null,
      action: null,
      durationSeconds: null,
      step: null,
      code: 'not_found',
      message,
      settled: 'This case no longer exists.',
    }
    expect(ended.results).toEqual(recordIds.map((target) => ({ target, ...refused })))
  }
  expect((await readStoredRows(instance)).record).toEqual(before)
})

test('the cursor of another workspace gets the bytes of one whose ids never existed', async () => {
  const lists = routes.filter(({ queryFields }) => queryFields?.some(({ name }) => name === 'cursor'))
  const problems: string[] = []
  const before = await readStoredRows(instance)
  for (const route of lists) {
    const read = (tenant: Tenant, page: RequestFields) => {
      const base = route.rule.workspace === 'required' ? { workspaceId: tenant.workspaceId } : {}
      const fields = { ...base, ...REQUIRED_FILTERS[toCurrentName(route)]?.(tenant), ...page }
      return sendFields(instance, { ...route, method: 'GET' }, fields, { session: tenant.session })
    }
    if (route.method !== 'GET' || route.name in UNPAGED_LISTS) continue
    const { nextCursor } = (await read(victim, { limit: '1' })).body
    if (typeof nextCursor !== 'string') {
      problems.push(`${route.name}: createTenant creates fewer than two of them, so there is no cursor`)
      continue
    }
    const foreign = await read(attacker, { cursor: nextCursor })
    const unknown = await read(attacker, { cursor: withoutIds(nextCursor, victim) })
    if (normalize(foreign, nextCursor) !== normalize(unknown, nextCursor))
      problems.push(`${route.name}: ${foreign.text} differs from ${unknown.text}`)
    for (const id of Object.values(victim.ids).flat())
      if (foreign.text.includes(id))
        problems.push(`${route.name}: the page contains ${id} of another workspace`)
  }
  expect(problems).toEqual([])
  expect(lists.length).toBeGreaterThan(12)
  expect(await readStoredRows(instance)).toEqual(before)
})

/** Lists of the account itself, to which requests of a test add too few rows for a second page. */
const UNPAGED_LISTS: Readonly<Record<string, string>> = {
  'GET /portal/api/security-activity': 'sign-ins of the account itself',
}

/** Filters without which a list has no second page. */
const REQUIRED_FILTERS: Readonly<Record<string, (tenant: Tenant) => RequestFields>> = {
  'GET /portal/api/inbox': () => ({ source: 'mentions' }),
  'GET /api/webhooks/deliveries': ({ ids }) => ({ webhookId: ids.webhook?.[0] ?? UNKNOWN_ID }),
  'GET /portal/api/imports/issues': ({ ids }) => ({ id: ids.import?.[0] ?? UNKNOWN_ID }),
  'GET /portal/api/players': () => ({ q: '26' }),
}

/** A cursor for almost the same position, after a row that never existed. */
function withoutIds(cursor: string, { ids }: Tenant): string {
  let text = Buffer.from(cursor, 'base64url').toString()
  for (const id of Object.values(ids).flat()) text = text.replaceAll(id, sibling(id))
  return Buffer.from(text).toString('base64url')
}

/** An id that sorts where this one does and names nothing. */
const sibling = (id: string): string => `${id.slice(0, -4)}dead`
