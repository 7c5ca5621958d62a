import {
  type Actor,
  AppError,
  anonymousActor,
  assertNoProblems,
  forbidden,
  hasPermission,
  missingPermission,
  type Permission,
  type StorageUse,
  switchableEndpoints,
} from '@reeve/core'
import {
  BODY_LIMIT,
  type BodyReceiver,
  type BodySender,
  EMPTY_BODY,
  emptyRequestContext,
  type FieldValues,
  type ParsedRequest,
  type RequestContext,
  type RequestReader,
  yieldForLargeBody,
} from '@reeve/http'
import type { Meter, RateLimiter } from '@reeve/metering'
import { toIpNetwork } from '../ip-address.ts'
import { readSessionToken } from '../sessions/cookie.ts'
import type { Settings } from '../settings.ts'
import { type AuthenticationDependencies, authenticate, type Caller } from './authenticate.ts'
import { type Client, type ClientDependencies, createClient } from './client.ts'
import { assertNoFieldConflicts, type RawRequest } from './field-conflicts.ts'
import { findMembershipPermissions } from './membership.ts'
import { applyWriteHeaders, createRequestContext } from './request-context.ts'
import type { RequestFields, Rule } from './rule.ts'
import { assertSameOrigin } from './same-origin.ts'
import type { WorkspaceState } from './workspace-state.ts'

export interface GateDependencies extends AuthenticationDependencies, ClientDependencies {
  readonly meter: Meter
  readonly rateLimiter: RateLimiter
  readonly getWorkspaceState: (workspaceId: string) => Promise<WorkspaceState | undefined>
  readonly settings: Settings
  readonly bodies: BodyReceiver
  readonly sessionCookieName: string
  /** Called as soon as it is known who sent a request, also if the request is rejected later. */
  readonly onIdentified: (request: Request, actor: Actor, requestContext: RequestContext) => void
}

/** The part of the framework's context that the gate reads. */
export interface GateRequest {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
  readonly route: string
  readonly query: FieldValues
}

/** What the gate adds to the framework's context for the handler. */
export interface AuthorizedRequest {
  readonly actor: Actor
  readonly requestContext: RequestContext
  readonly query: FieldValues
  readonly body: FieldValues
}

const switchable: ReadonlySet<string> = new Set(switchableEndpoints)

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * The checks before a handler, in this order: size and media type, JSON, presence of `workspaceId`, credentials,
 * workspace, rate limit and quota, endpoint control, permission, headers, fields. Credentials are looked up before the
 * body is received, because its limits depend on them, but their error is only reported in its place.
 * @throws AppError of the first check that fails
 */
export async function authorizeRequest(
  deps: GateDependencies,
  rule: Rule,
  readFields: RequestReader,
  context: GateRequest,
): Promise<AuthorizedRequest> {
  const { request } = context
  // Responses contain personal data and sometimes a secret: no browser or proxy may store them.
  context.set.headers['cache-control'] = 'no-store'
  const client = createClient(deps, request, String(context.set.headers['x-request-id'] ?? ''))
  const caller = rule.caller === 'anyone' ? null : await identifyCaller(deps, context, client)
  const body =
    request.body === null
      ? EMPTY_BODY
      : await deps.bodies.receive(request, rule.bodyLimit ?? BODY_LIMIT, toSender(caller, client))
  const raw: RawRequest = { query: context.query as RawRequest['query'], body: body.fields }
  const requestedId =
    rule.workspace === 'required' || rule.workspace === undefined ? requireWorkspaceId(raw) : null
  if (caller === null) {
    const actor = { ...anonymousActor, ...client }
    const requestContext = { ...emptyRequestContext, requestId: client.requestId }
    deps.onIdentified(request, actor, requestContext)
    assertNoFieldConflicts(request, raw)
    return { actor, requestContext, ...assertValidFields(readFields(raw.query, raw.body)) }
  }
  if (caller instanceof AppError) throw caller
  assertCallerKind(deps, rule, caller, request)
  const actor = await createActor(deps, caller, resolveWorkspaceId(rule, raw, caller, requestedId), client)
  const requestContext = createRequestContext(context, actor, body)
  deps.onIdentified(request, actor, requestContext)
  consumeRateLimit(deps, caller, context, rule.cost)
  await yieldForLargeBody(body.size)
  const fields = readFields(raw.query, raw.body)
  if (actor.workspaceId !== '')
    await assertWorkspaceAvailable(deps, rule, fields, request, actor, requestContext)
  assertPermission(rule, fields, actor)
  assertNoFieldConflicts(request, raw)
  applyWriteHeaders(requestContext, request, rule)
  requestContext.storageUse = selectStorageUse(rule, request, fields, actor)
  return { actor, requestContext, ...assertValidFields(fields) }
}

/** The caller, or the error of their credentials. */
async function identifyCaller(
  deps: GateDependencies,
  { request }: GateRequest,
  client: Client,
): Promise<Caller | AppError> {
  const authorization = request.headers.get('authorization')
  const sessionToken = authorization === null ? readSessionToken(request, deps.sessionCookieName) : null
  try {
    return await authenticate(deps, { authorization, sessionToken, client })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Whom the bytes of a body count against. @param caller null on a public route */
function toSender(caller: Caller | AppError | null, client: Client): BodySender {
  const isRejected = caller instanceof AppError
  if (caller === null || isRejected)
    return { id: toIpNetwork(client.ip), isAuthenticated: false, rejection: isRejected ? caller : null }
  const id = caller.kind === 'api_key' ? caller.key.workspaceId : caller.session.accountId
  return { id, isAuthenticated: true, rejection: null }
}

/** The parsed fields for the handler. @throws AppError `invalid_request` naming every field with a problem */
function assertValidFields({
  query,
  body,
  problems,
}: ParsedRequest): Pick<AuthorizedRequest, 'query' | 'body'> {
  assertNoProblems(problems)
  return { query, body }
}

/** The workspace named in query or body. @throws AppError `missing_workspace_id` */
function requireWorkspaceId({ query, body }: RawRequest): string {
  const value = query.workspaceId || body.workspaceId
  const id = value === undefined || value === null ? '' : normalizeId(value)
  if (id === '') throw new AppError('missing_workspace_id')
  return id
}

/** An id in the form that is compared; a value that is not a string becomes one that matches no id. */
const normalizeId = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '?')

function assertCallerKind(deps: GateDependencies, rule: Rule, caller: Caller, request: Request): void {
  if (caller.kind === 'api_key') {
    if (rule.caller) throw forbidden('session_required')
    return
  }
  if (!SAFE_METHODS.has(request.method)) assertSameOrigin(request.headers, deps.settings.publicUrl)
  if (rule.caller === 'operator' && !caller.session.isOperator) {
    throw forbidden('missing_permission', 'This is for operators of the instance.')
  }
}

/** The id of the workspace that the request concerns, or an empty string. */
function resolveWorkspaceId(rule: Rule, raw: RawRequest, caller: Caller, requestedId: string | null): string {
  const ownId = caller.kind === 'api_key' ? caller.key.workspaceId : ''
  if (requestedId !== null) return requestedId
  if (rule.workspace === 'id') {
    const id = raw.query.id ?? raw.body.id
    return id === undefined || id === null || id === '' ? ownId : normalizeId(id)
  }
  return rule.workspace === 'own' ? ownId : ''
}

async function createActor(
  deps: GateDependencies,
  caller: Caller,
  workspaceId: string,
  client: Client,
): Promise<Actor> {
  if (caller.kind === 'api_key') {
    const { key } = caller
    if (workspaceId !== key.workspaceId) throw forbidden('wrong_workspace')
    return {
      kind: 'api_key',
      id: key.id,
      name: key.name,
      workspaceId,
      permissions: key.permissions,
      rank: key.rank,
      isOperator: false,
      sessionId: null,
      get ip() {
        return client.ip
      },
      requestId: client.requestId,
    }
  }
  const { session } = caller
  const membership =
    workspaceId === ''
      ? anonymousActor
      : await findMembershipPermissions(deps.db.read, workspaceId, session.accountId)
  if (!membership) throw forbidden('not_a_member')
  return {
    ...client,
    kind: 'account',
    id: session.accountId,
    name: session.username,
    workspaceId,
    permissions: membership.permissions,
    rank: membership.rank,
    isOperator: session.isOperator,
    sessionId: session.id,
  }
}

function consumeRateLimit(
  deps: GateDependencies,
  caller: Caller,
  { set }: GateRequest,
  cost: number | undefined,
): void {
  const { settings, rateLimiter, ports } = deps
  const rateLimit =
    caller.kind === 'api_key'
      ? rateLimiter.consume(caller.key.id, 'key', settings.keyRatePerMinute, ports.now(), cost)
      : rateLimiter.consume(caller.session.id, 'session', settings.sessionRatePerMinute, ports.now(), cost)
  if (!rateLimit) return
  set.headers['ratelimit-policy'] = rateLimit.policy
  set.headers.ratelimit = rateLimit.state
}

async function assertWorkspaceAvailable(
  deps: GateDependencies,
  rule: Rule,
  fields: RequestFields,
  request: Request,
  actor: Actor,
  requestContext: RequestContext,
): Promise<void> {
  const workspace = await deps.getWorkspaceState(actor.workspaceId)
  if (!workspace) throw forbidden('not_a_member')
  const isRead = SAFE_METHODS.has(request.method) || (rule.isReadOnly?.(fields, actor) ?? false)
  if (!isRead) {
    // People can always moderate in the portal.
    if (actor.kind === 'api_key' && requestContext.meteredRequest && workspace.monthlyQuota !== null)
      await deps.meter.reserveQuota(requestContext.meteredRequest, workspace.monthlyQuota)
    const allowsArchived =
      typeof rule.allowWhenArchived === 'function'
        ? rule.allowWhenArchived(fields, actor)
        : rule.allowWhenArchived
    if (workspace.isArchived && !allowsArchived) throw forbidden('workspace_archived')
  }
  const endpoint = (isRead ? undefined : rule.writesTo) ?? requestContext.endpoint
  const control = switchable.has(endpoint) ? workspace.controls.get(endpoint) : undefined
  if (control?.mode === 'off') throw forbidden('endpoint_disabled', control.message ?? undefined)
  if (control?.mode === 'read_only' && !isRead)
    throw forbidden('endpoint_read_only', control.message ?? undefined)
}

function selectStorageUse(
  { storage, caller }: Rule,
  { method }: Request,
  fields: RequestFields,
  actor: Actor,
): StorageUse {
  if (storage === undefined) return caller !== undefined || method === 'DELETE' ? 'exempt' : 'essential'
  return typeof storage === 'function' ? storage(fields, actor) : storage
}

function assertPermission(rule: Rule, fields: RequestFields, actor: Actor): void {
  if (rule.permission === null) return
  const required: Permission | null =
    typeof rule.permission === 'string' ? rule.permission : rule.permission.select(fields, actor)
  if (required !== null && !hasPermission(actor, required)) throw missingPermission(required)
}
