import { Elysia } from 'elysia'

const ALLOWED_METHODS = 'GET, HEAD, POST, PATCH, DELETE'
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, traceparent, tracestate'
const EXPOSED_HEADERS = 'X-Request-Id, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, ETag'
const PREFLIGHT_SECONDS = '600'

/**
 * Lets pages of the listed origins send requests with an API key. Credentials are never allowed: sessions belong to the
 * portal. Without origins this plugin does nothing, and OPTIONS is an ordinary method.
 *
 * Not `@elysiajs/cors` 1.4.2: it answers preflights of unlisted origins with 204 (here 405) and adds an OPTIONS route to every path.
 */
export const cors = (origins: readonly string[]) => {
  const plugin = new Elysia({ name: 'cors' })
  if (origins.length === 0) return plugin
  return plugin.onRequest(({ request, set }) => {
    set.headers.vary = 'Origin'
    const origin = request.headers.get('origin')
    if (origin === null || !origins.includes(origin)) return
    set.headers['access-control-allow-origin'] = origin
    set.headers['access-control-expose-headers'] = EXPOSED_HEADERS
    if (request.method !== 'OPTIONS') return
    set.headers['access-control-allow-methods'] = ALLOWED_METHODS
    set.headers['access-control-allow-headers'] = ALLOWED_HEADERS
    set.headers['access-control-max-age'] = PREFLIGHT_SECONDS
    set.status = 204
    return new Response(null)
  })
}
