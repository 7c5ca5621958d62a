import { timingSafeEqual } from 'node:crypto'
import { AppError, type AuthorizationReason } from '@reeve/core'
import { toErrorBody } from '@reeve/http'
import { notFoundError } from '../errors.ts'
import { createSecurityHeaders } from '../security-headers.ts'
import type { Metrics } from './metrics.ts'

/** The path of the metrics, at every address. */
export const METRICS_PATH = '/metrics'

/**
 * Allows requests with the token, from wherever they come: a request from this machine may be from a proxy or a tunnel on it, or from a
 * browser that a website has sent here.
 * @param token null if none is configured
 * @throws AppError `unauthorized`; `not_found` if no token is configured
 */
export function assertMetricsToken(token: string | null, headers: Headers): void {
  if (token === null) throw notFoundError()
  const provided = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const unauthorized = (reason: AuthorizationReason, message: string) =>
    new AppError('unauthorized', { reason, message })
  if (provided === undefined)
    throw unauthorized('missing_credentials', 'Send REEVE_METRICS_TOKEN as a bearer token.')
  if (!isTimingSafeEqual(provided, token))
    throw unauthorized('invalid_key', 'The bearer token does not match REEVE_METRICS_TOKEN.')
}

/** Compares in constant time. */
function isTimingSafeEqual(provided: string, secret: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(provided), hash(secret))
}

/** Responds to one request. */
export type MetricsHandler = (request: Request) => Promise<Response>

/**
 * Creates the handler of an address that serves only metrics, to everyone who can connect to it.
 * @param assertKnownHost throws for a host name that is not one of this instance: browsers can connect too
 */
export function createMetricsHandler(
  render: Metrics['render'],
  assertKnownHost: (host: string) => void,
): MetricsHandler {
  const headers = createSecurityHeaders(false)

  async function respond(request: Request): Promise<Response> {
    const host = request.headers.get('host')
    if (host !== null) assertKnownHost(host)
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname !== METRICS_PATH) throw notFoundError()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
    const { contentType, text } = await render()
    return new Response(text, { headers: { ...headers, 'content-type': contentType } })
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { status, options } = error
      return Response.json(toErrorBody(error, ''), { status, headers: { ...headers, ...options.headers } })
    }
  }
}
