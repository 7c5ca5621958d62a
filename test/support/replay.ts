import { expect } from 'bun:test'
import { generateApiKey } from '@reeve/auth'
import { type Permission, permissions, switchableEndpoints } from '@reeve/core'
import { type Cast, castOf, mistyped } from './cast.ts'
import { type Answer, type CallOptions, type Instance, LEGACY_PREFIX, NEVER_WAS } from './instance.ts'
import { archived, controlled } from './states.ts'
import { stored } from './stored.ts'

/** A request that works for a caller who may make it, and what it asks of that caller. */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /**
   * In its current form, such as `/api/departments`: the legacy form is replayed too. Addresses of the portal stand as
   * they are.
   */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The workspace it is about, named in `query` or `body` as the route wants it. */
  readonly workspaceId: string
  /** The permission it needs; null where belonging to the workspace is enough. */
  readonly permission: Permission | null
  /** Further permissions it needs, that the gate does not ask for. */
  readonly also?: readonly Permission[]
  /** How the route finds its workspace: the rule's `workspace`. `required` by default. */
  readonly workspace?: 'required' | 'id' | 'own' | 'none'
  /** Who may call at all: the rule's `who`. Keys and sessions by default. */
  readonly who?: 'session' | 'operator'
  /** Whether it only reads. By default `GET` does, and nothing else. */
  readonly reads?: boolean
  /** Whether it goes on in an archived workspace though it writes. */
  readonly whileArchived?: boolean
  /** Kinds of callers that are not turned away here, for a reason that the test gives. */
  readonly except?: readonly string[]
  /**
   * The status for a caller who holds exactly the permissions needed: the last thing replayed, and the only one that
   * may change anything. 200 by default; null leaves it out.
   */
  readonly accepted?: number | null
}

/** How a caller was answered: `403 forbidden missing_permission departments.manage`. */
const outcome = ({ status, body }: Answer): string =>
  [status, body?.code, body?.reason, body?.permission].filter((part) => part !== undefined).join(' ')

interface Attempt {
  readonly as: CallOptions
  readonly expected: string
  /** Changes of the request itself. */
  readonly change?: (request: GuardedRequest) => GuardedRequest
}

type Attempts = Record<string, Attempt>

const without = (
  fields: Readonly<Record<string, unknown>> | undefined,
  name: string,
): Record<string, never> | undefined => {
  if (!fields) return undefined
  const { [name]: _, ...rest } = fields
  return rest as Record<string, never>
}

const naming = (id: string, request: GuardedRequest): GuardedRequest =>
  JSON.parse(JSON.stringify(request).replaceAll(request.workspaceId, id)) as GuardedRequest

const SAFE = new Set(['GET', 'HEAD'])

async function refusals(instance: Instance, cast: Cast, request: GuardedRequest): Promise<Attempts> {
  const unauthorized = (reason: string) => `401 unauthorized ${reason}`
  const forbidden = (reason: string) => `403 forbidden ${reason}`
  const bearer = (authorization: string): CallOptions => ({ headers: { authorization } })
  const { permission, who, workspace = 'required' } = request
  const named = workspace === 'required' || workspace === 'id'
  const forKeys = who === undefined
  const attempts: Attempts = {
    'no credentials': { as: {}, expected: unauthorized('missing_credentials') },
    'a junk key': { as: { key: 'rve_junk' }, expected: unauthorized('invalid_key') },
    'a key cut short': { as: { key: cast.full.slice(0, -1) }, expected: unauthorized('invalid_key') },
    'a mistyped key': { as: { key: mistyped(cast.full) }, expected: unauthorized('invalid_key') },
    'a key that never was': {
      as: { key: generateApiKey(instance.ports) },
      expected: unauthorized('invalid_key'),
    },
    'an expired key': { as: { key: cast.expired }, expected: unauthorized('key_expired') },
    'a revoked key': { as: { key: cast.revoked }, expected: unauthorized('key_revoked') },
    'a key from an address it may not be used from': {
      as: { key: cast.elsewhere },
      expected: forbidden('address_not_allowed'),
    },
    'another scheme beside a good session': {
      as: { session: cast.member, ...bearer('Basic cmVldmU6cmVldmU=') },
      expected: unauthorized('invalid_key'),
    },
    'an empty bearer beside a good session': {
      as: { session: cast.member, ...bearer('Bearer') },
      expected: unauthorized('invalid_key'),
    },
    'a junk session': { as: { session: 'junk' }, expected: unauthorized('invalid_session') },
    'an expired session': { as: { session: cast.expiredSession }, expected: unauthorized('session_expired') },
  }
  if (!forKeys) {
    attempts['a key'] = { as: { key: cast.full }, expected: forbidden('session_required') }
  }
  if (!SAFE.has(request.method)) {
    const session = who === 'operator' ? cast.operator : cast.member
    for (const [words, headers] of Object.entries({
      'another site': { 'sec-fetch-site': 'cross-site' },
      'a sister site': { 'sec-fetch-site': 'same-site' },
      'another origin': { origin: 'https://elsewhere.example' },
      'an origin of null': { origin: 'null' },
    })) {
      attempts[`a session made to call by ${words}`] = {
        as: { session, headers },
        expected: forbidden('cross_site_request'),
      }
    }
  }
  if (workspace === 'required') {
    attempts['no credentials and no workspaceId'] = {
      as: {},
      expected: '400 missing_workspace_id',
      change: (from) => {
        const query = without(from.query, 'workspaceId')
        const body = without(from.body, 'workspaceId')
        return { ...from, ...(query ? { query } : {}), ...(body ? { body } : {}) }
      },
    }
  }
  if (named) {
    const neverWas = (from: GuardedRequest) => naming(NEVER_WAS, from)
    if (forKeys) {
      attempts['a key of another workspace'] = {
        as: { key: cast.foreign },
        expected: forbidden('wrong_workspace'),
      }
      attempts['a key, for a workspace that never was'] = {
        as: { key: cast.full },
        expected: forbidden('wrong_workspace'),
        change: neverWas,
      }
    }
    if (who !== 'operator') {
      attempts['a session of no member'] = {
        as: { session: cast.foreignSession },
        expected: forbidden('not_a_member'),
      }
      attempts['a session, for a workspace that never was'] = {
        as: { session: cast.member },
        expected: forbidden('not_a_member'),
        change: neverWas,
      }
    }
  }
  if (who === 'operator') {
    attempts['a session of no operator'] = {
      as: { session: cast.member },
      expected: forbidden('missing_permission'),
    }
  } else if (permission !== null && workspace !== 'none') {
    const lacking = await cast.holding(permissions.filter((one) => one !== permission))
    const expected = forbidden(`missing_permission ${permission}`)
    if (forKeys) attempts['a key that lacks the permission'] = { as: { key: lacking.key }, expected }
    // A session is in no workspace where none is named, so it lacks nothing there.
    if (named)
      attempts['a session that lacks the permission'] = { as: { session: lacking.session }, expected }
  }
  return attempts
}

const pathsOf = (path: string): string[] =>
  path.startsWith('/api/') ? [path, path.replace(/^\/api/, LEGACY_PREFIX)] : [path]

function send(instance: Instance, path: string, request: GuardedRequest, as: CallOptions): Promise<Answer> {
  const query = new URLSearchParams(request.query).toString()
  return instance.call(request.method, query ? `${path}?${query}` : path, {
    ...as,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
}

/** Every refusal is JSON, says which call it answers, and a 401 says how to sign in. */
function expectWhole({ status, headers, body, text }: Answer): void {
  expect(body, text).not.toBeNull()
  expect(body.error, text).toBeString()
  expect(body.error, text).not.toBe('')
  expect(body.requestId).toBe(headers.get('x-request-id'))
  expect(body.details, text).toBeUndefined()
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer')
}

/** Plays the attempts under every prefix and compares all outcomes at once, so that a failure shows each caller. */
async function play(instance: Instance, request: GuardedRequest, attempts: Attempts): Promise<void> {
  const before = await stored(instance)
  const seen: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const path of pathsOf(request.path)) {
    for (const [kind, { as, expected: outcomeExpected, change }] of Object.entries(attempts)) {
      if (request.except?.includes(kind)) continue
      const answer = await send(instance, path, change ? change(request) : request, as)
      seen[`${path}: ${kind}`] = outcome(answer)
      expected[`${path}: ${kind}`] = outcomeExpected
      if (answer.status >= 400) expectWhole(answer)
    }
  }
  expect(seen).toEqual(expected)
  expect(await stored(instance)).toEqual(before)
}

/** Plays what an archived workspace and its endpoint controls turn away, and what they let through. */
async function playStates(instance: Instance, cast: Cast, request: GuardedRequest): Promise<void> {
  const { workspaceId } = request
  const reads = request.reads ?? SAFE.has(request.method)
  const as: CallOptions =
    request.who === undefined ? { key: cast.full } : { session: (await cast.holding(permissions)).session }
  const meanwhile = (kind: string, expected: string) => play(instance, request, { [kind]: { as, expected } })
  if (!request.whileArchived) {
    await archived(instance, workspaceId, true)
    await meanwhile('an archived workspace', reads ? '200' : '403 forbidden workspace_archived')
    await archived(instance, workspaceId, false)
  }
  const endpoint = request.path.slice(request.path.lastIndexOf('/') + 1)
  if (!request.path.startsWith('/api/') || !(switchableEndpoints as readonly string[]).includes(endpoint))
    return
  await controlled(instance, workspaceId, endpoint, 'off')
  await meanwhile('an endpoint switched off', '403 forbidden endpoint_disabled')
  await controlled(instance, workspaceId, endpoint, 'read_only')
  await meanwhile('an endpoint switched to read-only', reads ? '200' : '403 forbidden endpoint_read_only')
  await controlled(instance, workspaceId, endpoint, null)
}

/**
 * Replays a request, under both prefixes, as everyone who may not make it: without credentials; with a key that is junk,
 * cut short, mistyped, unknown, expired, revoked, used from the wrong address, of another workspace or lacking the
 * permission; with a session that is junk, expired, of no member, lacking the permission or made to call by another
 * site; for a workspace that never was, that is archived, or whose endpoint is switched. Each must be answered with the
 * decided status, code and reason, and nothing may have been changed. At the end it is made once more with exactly the
 * permissions it needs, to show that the others were turned away for what they lack.
 *
 * @example
 * test('strangers and the unentitled are turned away', async () => {
 *   await replay(instance, {
 *     method: 'POST', path: '/api/departments', permission: 'departments.manage',
 *     workspaceId: workspace.id, body: { workspaceId: workspace.id, name: 'Public relations' },
 *   })
 * })
 */
export async function replay(instance: Instance, request: GuardedRequest): Promise<void> {
  const cast = await castOf(instance, request.workspaceId)
  await play(instance, request, await refusals(instance, cast, request))
  const { workspace = 'required', permission, also = [], accepted = 200 } = request
  if (workspace === 'required' || workspace === 'id') await playStates(instance, cast, request)
  if (accepted === null) return
  const set = permissions.filter((one) => one === permission || also.includes(one))
  const { key, session } = await cast.holding(set)
  const as: CallOptions =
    request.who === 'operator' ? { session: cast.operator } : request.who ? { session } : { key }
  const answer = await send(instance, request.path, request, as)
  expect(`with exactly ${set.join(', ') || 'nothing'}: ${outcome(answer)}`, answer.text).toBe(
    `with exactly ${set.join(', ') || 'nothing'}: ${answer.status === accepted ? outcome(answer) : accepted}`,
  )
}
