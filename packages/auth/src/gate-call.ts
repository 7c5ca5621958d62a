import { type Actor, invalidRequest, parseIfMatch } from '@reeve/core'
import type { JsonBody, RequestContext } from '@reeve/http'

/** What is known of a call once its caller is. */
export function callOf(
  { request, route }: { readonly request: Request; readonly route: string },
  actor: Actor,
  body: JsonBody,
): RequestContext {
  const path = pathWithoutPrefix(route)
  const search = request.url.indexOf('?')
  const { workspaceId, id: actorId } = actor
  const meteredRequest = workspaceId === '' ? null : { workspaceId, endpoint: path.endpoint, actorId }
  return {
    requestId: actor.requestId,
    ip: actor.ip,
    route: `${request.method} ${path.name}`,
    endpoint: path.endpoint,
    workspaceId,
    actorId,
    payload: `${search < 0 ? '' : request.url.slice(search)}\n${body.text}`,
    meteredRequest,
    isCounted: meteredRequest === null,
    hasWritten: false,
    idempotencyKey: null,
    ifMatch: null,
  }
}

const paths = new Map<string, { name: string; endpoint: string }>()

/** `/api/events` and `/api/public/v1/events` are one route: events. Portal routes keep their path. */
function pathWithoutPrefix(route: string): { name: string; endpoint: string } {
  const known = paths.get(route)
  if (known) return known
  const own = /^\/(portal|admin)\/api\//.exec(route)?.[1]
  const name = own ? route : route.slice(route.lastIndexOf('/') + 1)
  const made = { name, endpoint: own ?? name }
  paths.set(route, made)
  return made
}

const MAX_IDEMPOTENCY_KEY = 255

/** Reads the headers that put conditions on a write. @throws AppError `invalid_request` naming the header */
export function setConditions(call: RequestContext, { headers }: Request): void {
  const key = headers.get('idempotency-key')
  if (key !== null && (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY)) {
    throw invalidRequest({
      field: 'Idempotency-Key',
      message: `must be 1 to ${MAX_IDEMPOTENCY_KEY} characters`,
    })
  }
  call.idempotencyKey = key
  call.ifMatch = parseIfMatch(headers.get('if-match'))
}
