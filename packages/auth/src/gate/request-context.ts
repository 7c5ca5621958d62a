import { type Actor, assertNoVersion, invalidRequest, parseIfMatch, publicPaths } from '@reeve/core'
import type { FieldValues, JsonBody, RequestContext } from '@reeve/http'
import type { GatedRoute, Rule } from './rule.ts'

/** The context of an authenticated request. */
export function createRequestContext(
  {
    request,
    route,
    query,
  }: { readonly request: Request; readonly route: string; readonly query: FieldValues },
  actor: Actor,
  body: JsonBody,
  rule: Pick<Rule, 'endpoint'>,
): RequestContext {
  const path = stripRoutePrefix(route)
  const { workspaceId, id: actorId } = actor
  const endpoint = rule.endpoint ?? path.endpoint
  const meteredRequest = workspaceId === '' ? null : { workspaceId, endpoint, actorId }
  return {
    requestId: actor.requestId,
    route: `${request.method} ${path.name}`,
    endpoint,
    workspaceId,
    actorId,
    payload: { query, body: body.fields },
    bodySize: body.size,
    meteredRequest,
    isCounted: meteredRequest === null,
    hasWritten: false,
    idempotencyKey: null,
    ifMatch: null,
    storageUse: 'exempt',
    waitedMs: 0,
    assertStillAuthorized: async () => actor,
  }
}

const routePaths = new Map<string, { name: string; endpoint: string }>()

/**
 * `/api/moderation/check` and `/api/public/v1/moderation/check` are the same route, `moderation/check`, of the endpoint
 * `moderation`. Portal routes keep their path.
 */
function stripRoutePrefix(route: string): { name: string; endpoint: string } {
  const cached = routePaths.get(route)
  if (cached) return cached
  const portalPath = /^\/(portal|admin)\/api\//.exec(route)?.[1]
  const parts = route.split('/')
  const start = parts.findLastIndex((part) => publicPaths.includes(part))
  const name = portalPath ? route : parts.slice(start).join('/')
  const parsed = { name, endpoint: portalPath ?? parts.at(start) ?? name }
  routePaths.set(route, parsed)
  return parsed
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255

export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Reads `Idempotency-Key` and `If-Match` into the context. @throws AppError `invalid_request` naming the header */
export function applyWriteHeaders(
  context: RequestContext,
  { headers }: Request,
  { rule, acceptsIfMatch }: Pick<GatedRoute, 'rule' | 'acceptsIfMatch'>,
): void {
  const key = headers.get('idempotency-key')
  if (key !== null && rule.rejectsIdempotencyKey) {
    throw invalidRequest({
      field: 'Idempotency-Key',
      message: 'is not supported here, because nothing of this request or its response may be stored',
    })
  }
  if (key !== null && (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH)) {
    throw invalidRequest({
      field: 'Idempotency-Key',
      message: `must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`,
    })
  }
  context.idempotencyKey = key
  context.ifMatch = parseIfMatch(headers.get('if-match'))
  if (!acceptsIfMatch) assertNoVersion(context.ifMatch)
}
