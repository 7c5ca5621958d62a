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
  hasBody,
  type JsonBody,
  type ParsedRequest,
  parseFormBody,
  parseJsonBody,
  type RequestContext,
  type RequestReader,
  yieldForLargeBody,
} from '@reeve/http'
import type { RateLimiter } from '@reeve/metering'
import { toIpNetwork } from '../ip-address.ts'
import { readSessionToken } from '../sessions/cookie.ts'
import type { Settings } from '../settings.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { type Client, type ClientDependencies, createClient } from './client.ts'
import { type ActorDependencies, createActor } from './create-actor.ts'
import { assertNoDroppedBody, assertNoFieldConflicts, type RawRequest } from './field-conflicts.ts'
import { assertRecentlyVerified } from './recent-verification.ts'
import { applyWriteHeaders, createRequestContext, SAFE_METHODS } from './request-context.ts'
import { type QuotaDependencies, reserveQuota } from './reserve-quota.ts'
import type { GatedRoute, RequestFields, Rule } from './rule.ts'
import { assertNotCrossSite, assertSameOrigin } from './same-origin.ts'
import { lacksInstanceFactor } from './second-factor-policy.ts'
import { requireWorkspaceId, resolveWorkspaceId } from './workspace-id.ts'

export interface GateDependencies extends ActorDependencies, ClientDependencies, QuotaDependencies {
  readonly rateLimiter: RateLimiter
  readonly settings: Settings
  readonly bodies: BodyReceiver
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

/**
 * The checks before a handler, in this order: size and media type, JSON, presence of `workspaceId`, credentials,
 * workspace, rate limit and quota, endpoint control, permission, recent verification, headers, fields. Credentials are looked up before the
 * body is received, because its limits depend on them, but their error is only reported in its place. They are looked up again if the body
 * arrived later than the headers: a client can take its time, and lose its access meanwhile.
 * @throws AppError of the first check that fails
 */
export async function authorizeRequest(
  deps: GateDependencies,
  route: GatedRoute,
  context: GateRequest,
): Promise<AuthorizedRequest> {
  const { rule, readFields } = route
  const { request } = context
  // Responses contain personal data and sometimes a secret: no browser or proxy may store them.
  context.set.headers['cache-control'] = 'no-store'
  const client = createClient(deps, request, String(context.set.headers['x-request-id'] ?? ''))
  let caller = rule.caller === 'anyone' ? null : await identifyCaller(deps, context, client)
  if (caller === null && rule.rejectsCrossSite) assertNotCrossSite(request.headers, deps.settings)
  let body = EMPTY_BODY
  if (!rule.streamsBody && hasBody(request)) {
    const received = await receiveBody(deps, rule, request, toSender(caller, client))
    body = received.body
    if (caller !== null && received.hasWaited) caller = await identifyCaller(deps, context, client)
  }
  const raw: RawRequest = { query: context.query as RawRequest['query'], body: body.fields }
  const requestedId =
    rule.workspace === 'required' || rule.workspace === undefined ? requireWorkspaceId(raw) : null
  if (caller === null) {
    const actor = rule.recognizesCaller
      ? await recognizeCaller(deps, rule, context, client)
      : { ...anonymousActor, ...client }
    const requestContext = { ...emptyRequestContext, requestId: client.requestId }
    deps.onIdentified(request, actor, requestContext)
    assertNoFieldConflicts(request, raw)
    return { actor, requestContext, ...assertValidFields(readFields(raw.query, raw.body)) }
  }
  if (caller instanceof AppError) throw caller
  assertCallerKind(deps, rule, caller, request)
  const workspaceId = resolveWorkspaceId(rule, raw, caller, requestedId)
  const mayLackWorkspaceFactor = canLackWorkspaceFactor(rule, readFields, raw, caller, workspaceId)
  const actorOptions = { client, mayLackWorkspaceFactor }
  const actor = await createActor(deps, caller, workspaceId, actorOptions)
  const requestContext = createRequestContext(context, actor, body, rule)
  deps.onIdentified(request, actor, requestContext)
  consumeRateLimit(deps, caller, context, rule.cost)
  await yieldForLargeBody(body.size)
  const fields = readFields(raw.query, raw.body)
  if (actor.workspaceId !== '')
    await assertWorkspaceAvailable(deps, rule, fields, request, actor, requestContext)
  assertPermission(rule, fields, actor)
  assertRecentlyVerified(rule, fields, caller, actor, deps.ports.now())
  assertNoDroppedBody(request)
  assertNoFieldConflicts(request, raw)
  applyWriteHeaders(requestContext, request, route)
  requestContext.storageUse = selectStorageUse(rule, request, fields, actor)
  requestContext.assertStillAuthorized = async () => {
    const current = await identifyCaller(deps, context, client)
    if (current instanceof AppError) throw current
    assertCallerKind(deps, rule, current, request)
    const currentActor = await createActor(deps, current, actor.workspaceId, actorOptions)
    if (actor.workspaceId !== '')
      await assertWorkspaceAvailable(deps, rule, fields, request, currentActor, requestContext)
    assertPermission(rule, fields, currentActor)
    return currentActor
  }
  const valid = assertValidFields(fields)
  readFields.resolvePlayers(valid, actor.platforms)
  return { actor, requestContext, ...valid }
}

/**
 * Receives the body of a request.
 * @returns also whether that took more than a turn of the event loop; a body that is sent with its headers takes none
 */
async function receiveBody(
  deps: GateDependencies,
  rule: Rule,
  request: Request,
  sender: BodySender,
): Promise<{ readonly body: JsonBody; readonly hasWaited: boolean }> {
  let hasWaited = false
  const turnEnd = setImmediate(() => {
    hasWaited = true
  })
  try {
    const parse = rule.acceptsForm ? parseFormBody : parseJsonBody
    const body = await deps.bodies.receive(request, rule.bodyLimit ?? BODY_LIMIT, sender, parse)
    return { body, hasWaited }
  } finally {
    clearImmediate(turnEnd)
  }
}

/** The caller, or the error of their credentials. */
async function identifyCaller(
  deps: GateDependencies,
  { request }: GateRequest,
  client: Client,
): Promise<Caller | AppError> {
  const authorization = request.headers.get('authorization')
  const sessionToken = authorization === null ? readSessionToken(request, deps.settings.publicUrl) : null
  try {
    return await authenticate(deps, { authorization, sessionToken, client })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** The caller of a public route, with their permissions in the workspace of an API key; `anonymousActor` if other routes would reject them. */
async function recognizeCaller(
  deps: GateDependencies,
  rule: Rule,
  context: GateRequest,
  client: Client,
): Promise<Actor> {
  const caller = await identifyCaller(deps, context, client)
  const isRecognized =
    !(caller instanceof AppError) &&
    (caller.kind === 'api_key' || !lacksInstanceFactor(rule, caller.session, deps.settings))
  if (!isRecognized) return { ...anonymousActor, ...client }
  const workspaceId = caller.kind === 'api_key' ? caller.key.workspaceId : ''
  return createActor(deps, caller, workspaceId, { client, mayLackWorkspaceFactor: false })
}

/** Whether a session may send this request without the second factor that the workspace requires. */
function canLackWorkspaceFactor(
  rule: Rule,
  readFields: RequestReader,
  raw: RawRequest,
  caller: Caller,
  workspaceId: string,
): boolean {
  if (rule.allowWithoutInstanceFactor) return true
  if (caller.kind === 'api_key' || rule.allowWithoutWorkspaceFactor === undefined) return false
  const member = { kind: 'account', id: caller.session.accountId, workspaceId } as const
  return rule.allowWithoutWorkspaceFactor(readFields(raw.query, raw.body), member)
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

function assertCallerKind(deps: GateDependencies, rule: Rule, caller: Caller, request: Request): void {
  if (caller.kind === 'api_key') {
    if (rule.caller) throw forbidden('session_required')
    return
  }
  if (!SAFE_METHODS.has(request.method)) assertSameOrigin(request.headers, deps.settings)
  else if (rule.rejectsCrossSite) assertNotCrossSite(request.headers, deps.settings)
  if (rule.caller === 'operator' && !caller.session.isOperator) {
    throw forbidden('missing_permission', 'This is for operators of the instance.')
  }
  if (lacksInstanceFactor(rule, caller.session, deps.settings)) throw forbidden('second_factor_required')
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
    await reserveQuota(deps, request, actor, requestContext, workspace.monthlyQuota)
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
