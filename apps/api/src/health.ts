import { timingSafeEqual } from 'node:crypto'
import { type AppContext, isInRanges, parseIpRange, publicRoute } from '@reeve/auth'
import { AppError, type AuthorizationReason } from '@reeve/core'
import { errorResponses, responseObject, stringField } from '@reeve/http'
import { Elysia } from 'elysia'
import { notFoundError } from './errors.ts'
import type { Metrics } from './metrics/metrics.ts'
import { VERSION } from './version.ts'

/** The content of `/metrics` and its access token. */
export interface MetricsEndpoint {
  readonly render: Metrics['render']
  /** Allows requests from other machines that send this bearer token; null allows none. */
  readonly token: string | null
}

const status = stringField('`ok`', 'ok')
const LivenessResponse = responseObject(
  { status, version: stringField('Version of Reeve', '1.0.0') },
  'The process responds',
)
const ReadinessResponse = responseObject({ status }, 'The database responds')

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseIpRange).filter((range) => range !== null)

/** Headers that proxies add: a forwarded request does not come from this machine, even if its proxy runs here. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** `/healthz`, `/readyz` and `/metrics` for monitoring; not part of any workspace. */
export const health = (app: AppContext, metrics: MetricsEndpoint, getPeerIp: (request: Request) => string) =>
  new Elysia({ name: 'health', tags: ['Operations'], normalize: false })
    .use(app.auth)
    .get('/healthz', async () => ({ status: 'ok', version: VERSION }), {
      permission: publicRoute,
      response: { 200: LivenessResponse },
      detail: { summary: 'Liveness check', hide: true },
    })
    .get(
      '/readyz',
      async () => {
        try {
          await app.db.ping()
        } catch {
          throw new AppError('unavailable', { message: 'The database does not respond.' })
        }
        return { status: 'ok' }
      },
      {
        permission: publicRoute,
        response: { 200: ReadinessResponse, ...errorResponses() },
        detail: { summary: 'Readiness check, including the database', hide: true },
      },
    )
    .get(
      '/metrics',
      async ({ request, set }) => {
        assertMetricsAccess(metrics.token, getPeerIp(request), request.headers)
        const { contentType, text } = await metrics.render()
        set.headers['content-type'] = contentType
        return text
      },
      { permission: publicRoute, detail: { summary: 'Prometheus metrics', hide: true } },
    )

/**
 * Allows requests from this machine, and requests with the token.
 * @throws AppError `unauthorized`; `not_found` if no token is configured
 */
function assertMetricsAccess(token: string | null, peerIp: string, headers: Headers): void {
  const isForwarded = FORWARDED.some((header) => headers.has(header))
  if (!isForwarded && isInRanges(peerIp, LOOPBACK)) return
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
