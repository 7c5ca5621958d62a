import { expect } from 'bun:test'
import { generateApiKey } from '@reeve/auth'
import { type Permission, permissions, switchableEndpoints } from '@reeve/core'
import { type Callers, getCallers, mistypeKey } from './callers.ts'
import {
  type Instance,
  LEGACY_PREFIX,
  type RequestOptions,
  type TestResponse,
  UNKNOWN_ID,
} from './instance.ts'
import { readStoredRows } from './stored-rows.ts'
import { setArchived, setEndpointControl } from './workspace-states.ts'

/** A request that succeeds for an authorized caller, and what it requires. */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The current path, such as `/api/departments`; the legacy path is tested too. Portal paths have one form. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The workspace of the request, named in `query` or `body` as the route requires. */
  readonly workspaceId: string
  /** The required permission; null if membership is enough. */
  readonly permission: Permission | null
  /** Further required permissions that the gate does not check. */
  readonly also?: readonly Permission[]
  /** How the route finds its workspace: `workspace` of the rule. Default: `required`. */
  readonly workspace?: 'required' | 'id' | 'own' | 'none'
  /** Who may call the route: `who` of the rule. Default: keys and sessions. */
  readonly who?: 'session' | 'operator'
  /** Whether the request only reads. Default: only `GET` does. */
  readonly reads?: boolean
  /** Whether a write is allowed in an archived workspace. */
  readonly whileArchived?: boolean
  /** Callers that are not rejected here, for a reason that the test gives. */
  readonly except?: readonly string[]
  /**
   * Status for a caller with exactly the required permissions. This request comes last and is the only one that may change
   * anything. Default: 200; null skips it.
   */
  readonly accepted?: number | null
}

/** The outcome for a caller: `403 forbidden missing_permission departments.manage`. */
const formatOutcome = ({ status, body }: TestResponse): string =>
  [status, body?.code, body?.reason, body?.permission].filter((part) => part !== undefined).join(' ')

interface AccessCase {
  readonly as: RequestOptions
  readonly expected: string
  /** Changes to the request. */
  readonly modifyRequest?: (request: GuardedRequest) => GuardedRequest
}

type AccessCases = Record<string, AccessCase>

const omitField = (
  fields: Readonly<Record<string, unknown>> | undefined,
  name: string,
): Record<string, never> | undefined => {
  if (!fields) return undefined
  const { [name]: _, ...otherFields } = fields
  return otherFields as Record<string, never>
}

const withWorkspaceId = (id: string, request: GuardedRequest): GuardedRequest =>
  JSON.parse(JSON.stringify(request).replaceAll(request.workspaceId, id)) as GuardedRequest

const SAFE = new Set(['GET', 'HEAD'])

async function createRejectedCases(
  instance: Instance,
  callers: Callers,
  request: GuardedRequest,
): Promise<AccessCases> {
  const unauthorized = (reason: string) => `401 unauthorized ${reason}`
  const forbidden = (reason: string) => `403 forbidden ${reason}`
  const bearer = (authorization: string): RequestOptions => ({ headers: { authorization } })
  const { permission, who, workspace = 'required' } = request
  const namesWorkspace = workspace === 'required' || workspace === 'id'
  const acceptsKeys = who === undefined
  const cases: AccessCases = {
    'no credentials': { as: {}, expected: unauthorized('missing_credentials') },
    'a malformed key': { as: { key: 'rve_junk' }, expected: unauthorized('invalid_key') },
    'a truncated key': { as: { key: callers.fullKey.slice(0, -1) }, expected: unauthorized('invalid_key') },
    'a mistyped key': { as: { key: mistypeKey(callers.fullKey) }, expected: unauthorized('invalid_key') },
    'an unknown key': {
      as: { key: generateApiKey(instance.ports) },
      expected: unauthorized('invalid_key'),
    },
    'an expired key': { as: { key: callers.expiredKey }, expected: unauthorized('key_expired') },
    'a revoked key': { as: { key: callers.revokedKey }, expected: unauthorized('key_revoked') },
    'a key used from a wrong IP address': {
      as: { key: callers.wrongIp },
      expected: forbidden('address_not_allowed'),
    },
    'another scheme with a valid session': {
      as: { session: callers.member, ...bearer('Basic cmVldmU6cmVldmU=') },
      expected: unauthorized('invalid_key'),
    },
    'an empty bearer token with a valid session': {
      as: { session: callers.member, ...bearer('Bearer') },
      expected: unauthorized('invalid_key'),
    },
    'a malformed session': { as: { session: 'junk' }, expected: unauthorized('invalid_session') },
    'an expired session': {
      as: { session: callers.expiredSession },
      expected: unauthorized('session_expired'),
    },
  }
  if (!acceptsKeys) {
    cases['a key'] = { as: { key: callers.fullKey }, expected: forbidden('session_required') }
  }
  if (!SAFE.has(request.method)) {
    const session = who === 'operator' ? callers.operatorSession : callers.member
    for (const [description, headers] of Object.entries({
      'another site': { 'sec-fetch-site': 'cross-site' },
      'a same-site origin': { 'sec-fetch-site': 'same-site' },
      'another origin': { origin: 'https://elsewhere.example' },
      'the origin null': { origin: 'null' },
    })) {
      cases[`a session used by ${description}`] = {
        as: { session, headers },
        expected: forbidden('cross_site_request'),
      }
    }
  }
  if (workspace === 'required') {
    cases['no credentials and no workspaceId'] = {
      as: {},
      expected: '400 missing_workspace_id',
      modifyRequest: (original) => {
        const query = omitField(original.query, 'workspaceId')
        const body = omitField(original.body, 'workspaceId')
        return { ...original, ...(query ? { query } : {}), ...(body ? { body } : {}) }
      },
    }
  }
  if (namesWorkspace) {
    const withUnknownWorkspace = (original: GuardedRequest) => withWorkspaceId(UNKNOWN_ID, original)
    if (acceptsKeys) {
      cases['a key of another workspace'] = {
        as: { key: callers.foreignKey },
        expected: forbidden('wrong_workspace'),
      }
      cases['a key, for an unknown workspace'] = {
        as: { key: callers.fullKey },
        expected: forbidden('wrong_workspace'),
        modifyRequest: withUnknownWorkspace,
      }
    }
    if (who !== 'operator') {
      cases['a session of a non-member'] = {
        as: { session: callers.foreignSession },
        expected: forbidden('not_a_member'),
      }
      cases['a session, for an unknown workspace'] = {
        as: { session: callers.member },
        expected: forbidden('not_a_member'),
        modifyRequest: withUnknownWorkspace,
      }
    }
  }
  if (who === 'operator') {
    cases['a session of a non-operator'] = {
      as: { session: callers.member },
      expected: forbidden('missing_permission'),
    }
  } else if (permission !== null && workspace !== 'none') {
    const callersWithoutPermission = await callers.withPermissions(
      permissions.filter((one) => one !== permission),
    )
    const expected = forbidden(`missing_permission ${permission}`)
    if (acceptsKeys)
      cases['a key that lacks the permission'] = { as: { key: callersWithoutPermission.key }, expected }
    // If the request names no workspace, a session has no permissions that it could lack.
    if (namesWorkspace)
      cases['a session that lacks the permission'] = {
        as: { session: callersWithoutPermission.session },
        expected,
      }
  }
  return cases
}

const withLegacyPath = (path: string): string[] =>
  path.startsWith('/api/') ? [path, path.replace(/^\/api/, LEGACY_PREFIX)] : [path]

function sendRequest(
  instance: Instance,
  path: string,
  request: GuardedRequest,
  as: RequestOptions,
): Promise<TestResponse> {
  const query = new URLSearchParams(request.query).toString()
  return instance.request(request.method, query ? `${path}?${query}` : path, {
    ...as,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
}

/** Expects a JSON body with the request id, and `WWW-Authenticate` on a 401. */
function expectCompleteError({ status, headers, body, text }: TestResponse): void {
  expect(body, text).not.toBeNull()
  expect(body.error, text).toBeString()
  expect(body.error, text).not.toBe('')
  expect(body.requestId).toBe(headers.get('x-request-id'))
  expect(body.details, text).toBeUndefined()
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer')
}

/** Sends every attempt under every prefix and compares all outcomes at once, so that a failure shows each caller. */
async function runCases(instance: Instance, request: GuardedRequest, cases: AccessCases): Promise<void> {
  const before = await readStoredRows(instance)
  const actual: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const path of withLegacyPath(request.path)) {
    for (const [caseName, { as, expected: expectedOutcome, modifyRequest }] of Object.entries(cases)) {
      if (request.except?.includes(caseName)) continue
      const response = await sendRequest(instance, path, modifyRequest ? modifyRequest(request) : request, as)
      actual[`${path}: ${caseName}`] = formatOutcome(response)
      expected[`${path}: ${caseName}`] = expectedOutcome
      if (response.status >= 400) expectCompleteError(response)
    }
  }
  expect(actual).toEqual(expected)
  expect(await readStoredRows(instance)).toEqual(before)
}

/** Sends what an archived workspace and endpoint controls reject, and what they allow. */
async function runWorkspaceStateCases(
  instance: Instance,
  callers: Callers,
  request: GuardedRequest,
): Promise<void> {
  const { workspaceId } = request
  const reads = request.reads ?? SAFE.has(request.method)
  const as: RequestOptions =
    request.who === undefined
      ? { key: callers.fullKey }
      : { session: (await callers.withPermissions(permissions)).session }
  const runCase = (caseName: string, expected: string) =>
    runCases(instance, request, { [caseName]: { as, expected } })
  if (!request.whileArchived) {
    await setArchived(instance, workspaceId, true)
    await runCase('an archived workspace', reads ? '200' : '403 forbidden workspace_archived')
    await setArchived(instance, workspaceId, false)
  }
  const endpoint = request.path.slice(request.path.lastIndexOf('/') + 1)
  if (!request.path.startsWith('/api/') || !(switchableEndpoints as readonly string[]).includes(endpoint))
    return
  await setEndpointControl(instance, workspaceId, endpoint, 'off')
  await runCase('an endpoint switched off', '403 forbidden endpoint_disabled')
  await setEndpointControl(instance, workspaceId, endpoint, 'read_only')
  await runCase('an endpoint switched to read-only', reads ? '200' : '403 forbidden endpoint_read_only')
  await setEndpointControl(instance, workspaceId, endpoint, null)
}

/**
 * Sends a request under both prefixes with every kind of invalid caller: without credentials; with a key that is malformed,
 * truncated, mistyped, unknown, expired, revoked, used from a wrong IP address, of another workspace or without the permission;
 * with a session that is malformed, expired, of a non-member, without the permission or used by another site; for a workspace
 * that is unknown or archived, or whose endpoint is switched off. Expects the exact status, code and reason, and no stored
 * change. Then sends it once with exactly the required permissions, to show that only those were missing.
 *
 * @example
 * test('callers without access are rejected', async () => {
 *   await expectAccessRules(instance, {
 *     method: 'POST', path: '/api/departments', permission: 'departments.manage',
 *     workspaceId: workspace.id, body: { workspaceId: workspace.id, name: 'Public relations' },
 *   })
 * })
 */
export async function expectAccessRules(instance: Instance, request: GuardedRequest): Promise<void> {
  const callers = await getCallers(instance, request.workspaceId)
  await runCases(instance, request, await createRejectedCases(instance, callers, request))
  const { workspace = 'required', permission, also = [], accepted = 200 } = request
  if (workspace === 'required' || workspace === 'id') await runWorkspaceStateCases(instance, callers, request)
  if (accepted === null) return
  const requiredPermissions = permissions.filter((one) => one === permission || also.includes(one))
  const { key, session } = await callers.withPermissions(requiredPermissions)
  const as: RequestOptions =
    request.who === 'operator' ? { session: callers.operatorSession } : request.who ? { session } : { key }
  const response = await sendRequest(instance, request.path, request, as)
  expect(
    `with exactly ${requiredPermissions.join(', ') || 'no permissions'}: ${formatOutcome(response)}`,
    response.text,
  ).toBe(
    `with exactly ${requiredPermissions.join(', ') || 'no permissions'}: ${response.status === accepted ? formatOutcome(response) : accepted}`,
  )
}
