import {
  type Actor,
  AppError,
  anonymousActor,
  forbidden,
  hasPermission,
  missingPermission,
  type Permission,
  switchableEndpoints,
} from '@reeve/core'
import { BODY_LIMIT, EMPTY_BODY, emptyRequestContext, type RequestContext, readJsonBody } from '@reeve/http'
import type { Meter, RateLimiter } from '@reeve/metering'
import { callerAddress } from './address.ts'
import type { Settings } from './context.ts'
import { type Caller, type Identification, identify, needSameSite } from './credentials.ts'
import { callOf, setConditions } from './gate-call.ts'
import { needFieldsInPlace } from './gate-fields.ts'
import { standingOf } from './membership.ts'
import type { RawRequest, Rule } from './rule.ts'
import type { WorkspaceState } from './workspace-state.ts'

export interface GateParts extends Identification {
  readonly meter: Meter
  readonly rates: RateLimiter
  readonly workspaceOf: (workspaceId: string) => Promise<WorkspaceState | undefined>
  readonly settings: Settings
  readonly sessionCookie: string
  /** The network address of a request's sender; empty where it came over no network. */
  readonly getPeerIp: (request: Request) => string
}

/** The part of a framework's context that the gate reads, and the three things it leaves there. */
export interface GateContext {
  readonly request: Request
  readonly query: Record<string, string>
  readonly cookie: Record<string, unknown>
  readonly set: { headers: Record<string, string | number> }
  readonly route: string
  body: unknown
  actor: Actor
  call: RequestContext
}

const switchable: ReadonlySet<string> = new Set(switchableEndpoints)

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * The order of checks before a handler: size and media type, JSON, presence of `workspaceId`, credentials, workspace, rate
 * and quota, control, permission. What is left to the framework then is the fields.
 */
export async function admit(parts: GateParts, rule: Rule, context: GateContext): Promise<void> {
  const { request } = context
  // Answers are about people and, once, secrets: no browser and no proxy keeps them.
  context.set.headers['cache-control'] = 'no-store'
  const body = request.body === null ? EMPTY_BODY : await readJsonBody(request, rule.bodyLimit ?? BODY_LIMIT)
  context.body = body.fields
  const raw: RawRequest = { query: context.query, body: body.fields }
  const named = rule.workspace === 'required' || rule.workspace === undefined ? neededWorkspace(raw) : null
  const from = {
    ip: clientIp(parts, request),
    requestId: String(context.set.headers['x-request-id'] ?? ''),
  }
  if (rule.who === 'anyone') {
    context.actor = { ...anonymousActor, ...from }
    context.call = { ...emptyRequestContext, ...from }
    return needFieldsInPlace(request, raw)
  }
  const caller = await identify(parts, {
    authorization: request.headers.get('authorization'),
    sessionToken: context.cookie[parts.sessionCookie] as string | undefined,
    address: from.ip,
  })
  needKindOfCaller(parts, rule, caller, request)
  const actor = await actorIn(parts, caller, workspaceFor(rule, raw, caller, named), from)
  context.actor = actor
  context.call = callOf(context, actor, body)
  takeRate(parts, caller, context)
  if (actor.workspaceId !== '') await needWorkspaceOpen(parts, rule, raw, context)
  needPermission(rule, raw, actor)
  needFieldsInPlace(request, raw)
  setConditions(context.call, request)
}

const clientIp = ({ getPeerIp, settings }: GateParts, request: Request): string =>
  callerAddress(getPeerIp(request), request.headers.get('x-forwarded-for'), settings.trustedProxies)

/** The workspace named in query or body. @throws AppError `missing_workspace_id` */
function neededWorkspace({ query, body }: RawRequest): string {
  const named = query.workspaceId || body.workspaceId
  const id = named === undefined || named === null ? '' : idFrom(named)
  if (id === '') throw new AppError('missing_workspace_id')
  return id
}

/** A text as an id is compared; what is no text matches nothing. */
const idFrom = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '?')

function needKindOfCaller(parts: GateParts, rule: Rule, caller: Caller, request: Request): void {
  if (caller.kind === 'api_key') {
    if (rule.who) throw forbidden('session_required')
    return
  }
  if (!SAFE_METHODS.has(request.method)) needSameSite(request.headers, parts.settings.publicUrl)
  if (rule.who === 'operator' && !caller.session.isOperator) {
    throw forbidden('missing_permission', 'This is for operators of the instance.')
  }
}

/** The workspace this call is about; empty where it is about none. */
function workspaceFor(rule: Rule, raw: RawRequest, caller: Caller, named: string | null): string {
  const own = caller.kind === 'api_key' ? caller.key.workspaceId : ''
  if (named !== null) return named
  if (rule.workspace === 'id') {
    const id = raw.query.id ?? raw.body.id
    return id === undefined || id === null || id === '' ? own : idFrom(id)
  }
  return rule.workspace === 'own' ? own : ''
}

async function actorIn(
  parts: GateParts,
  caller: Caller,
  workspaceId: string,
  from: { ip: string; requestId: string },
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
      ip: from.ip,
      requestId: from.requestId,
    }
  }
  const { session } = caller
  const standing =
    workspaceId === '' ? anonymousActor : await standingOf(parts.db.read, workspaceId, session.accountId)
  if (!standing) throw forbidden('not_a_member')
  return {
    ...from,
    kind: 'account',
    id: session.accountId,
    name: session.username,
    workspaceId,
    permissions: standing.permissions,
    rank: standing.rank,
    isOperator: session.isOperator,
    sessionId: session.id,
  }
}

function takeRate(parts: GateParts, caller: Caller, { set }: GateContext): void {
  const { settings, rates, ports } = parts
  const taken =
    caller.kind === 'api_key'
      ? rates.consume(caller.key.id, 'key', settings.keyRatePerMinute, ports.now())
      : rates.consume(caller.session.id, 'session', settings.sessionRatePerMinute, ports.now())
  if (!taken) return
  set.headers['ratelimit-policy'] = taken.policy
  set.headers.ratelimit = taken.state
}

async function needWorkspaceOpen(
  parts: GateParts,
  rule: Rule,
  raw: RawRequest,
  { request, call, actor }: GateContext,
): Promise<void> {
  const workspace = await parts.workspaceOf(actor.workspaceId)
  if (!workspace) throw forbidden('not_a_member')
  const reads = SAFE_METHODS.has(request.method) || (rule.reads?.(raw) ?? false)
  if (!reads) {
    if (call.meteredRequest && workspace.monthlyQuota !== null && !rule.beyondQuota)
      await parts.meter.reserveQuota(call.meteredRequest, workspace.monthlyQuota)
    const goesOn = typeof rule.whileArchived === 'function' ? rule.whileArchived(raw) : rule.whileArchived
    if (workspace.isArchived && !goesOn) throw forbidden('workspace_archived')
  }
  const control = switchable.has(call.endpoint) ? workspace.controls.get(call.endpoint) : undefined
  if (control?.mode === 'off') throw forbidden('endpoint_disabled', control.message ?? undefined)
  if (control?.mode === 'read_only' && !reads)
    throw forbidden('endpoint_read_only', control.message ?? undefined)
}

function needPermission(rule: Rule, raw: RawRequest, actor: Actor): void {
  if (rule.permission === null) return
  const needed: Permission | null =
    typeof rule.permission === 'string' ? rule.permission : rule.permission.of(raw, actor)
  if (needed !== null && !hasPermission(actor, needed)) throw missingPermission(needed)
}
