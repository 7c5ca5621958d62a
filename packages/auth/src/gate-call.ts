import { type Actor, invalid, readIfMatch } from '@reeve/core'
import type { Call, JsonBody } from '@reeve/http'

/** What is known of a call once its caller is. */
export function callOf(
  { request, route }: { readonly request: Request; readonly route: string },
  actor: Actor,
  body: JsonBody,
): Call {
  const path = pathWithoutPrefix(route)
  const search = request.url.indexOf('?')
  const { workspaceId, id: actorId } = actor
  const metered = workspaceId === '' ? null : { workspaceId, endpoint: path.endpoint, actorId }
  return {
    requestId: actor.requestId,
    address: actor.address,
    route: `${request.method} ${path.name}`,
    endpoint: path.endpoint,
    workspaceId,
    actorId,
    sent: `${search < 0 ? '' : request.url.slice(search)}\n${body.text}`,
    metered,
    counted: metered === null,
    wrote: false,
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
export function setConditions(call: Call, { headers }: Request): void {
  const key = headers.get('idempotency-key')
  if (key !== null && (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY)) {
    throw invalid({ field: 'Idempotency-Key', message: `must be 1 to ${MAX_IDEMPOTENCY_KEY} characters` })
  }
  call.idempotencyKey = key
  call.ifMatch = readIfMatch(headers.get('if-match'))
}
