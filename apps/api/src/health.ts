import { timingSafeEqual } from 'node:crypto'
import { type AppContext, isInRanges, parseIpRange } from '@reeve/auth'
import { AppError, type AuthorizationReason } from '@reeve/core'
import { errorResponses, responseObject, stringField } from '@reeve/http'
import { Elysia } from 'elysia'
import { notFoundError } from './errors.ts'
import type { Metrics } from './metrics.ts'

/** What `/metrics` shows, and to whom. */
export interface MetricsEndpoint {
  readonly render: Metrics['render']
  /** Opens it to whoever sends this, from wherever; null leaves it to this machine. */
  readonly token: string | null
}

const publicRule = { caller: 'anyone', permission: null, workspace: 'none' } as const

const StatusResponse = responseObject({ status: stringField('`ok`', 'ok') }, 'All is well')

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseIpRange).filter((range) => range !== null)

/** What a proxy adds: a call that came through one is not from this machine, whoever handed it over. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** `/healthz`, `/readyz` and `/metrics`: for those who run the instance, outside every workspace. */
export const health = (app: AppContext, metrics: MetricsEndpoint, getPeerIp: (request: Request) => string) =>
  new Elysia({ name: 'health', tags: ['Running'], normalize: false })
    .use(app.auth)
    .get('/healthz', async () => ({ status: 'ok' }), {
      permission: publicRule,
      response: { 200: StatusResponse },
      detail: { summary: 'Whether the process answers', hide: true },
    })
    .get(
      '/readyz',
      async () => {
        try {
          await app.db.ping()
        } catch {
          throw new AppError('unavailable', { message: 'The database does not answer.' })
        }
        return { status: 'ok' }
      },
      {
        permission: publicRule,
        response: { 200: StatusResponse, ...errorResponses() },
        detail: { summary: 'Whether the database answers too', hide: true },
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
      { permission: publicRule, detail: { summary: 'Figures for Prometheus', hide: true } },
    )

/**
 * Lets this machine in, and whoever has the token.
 * @throws AppError `unauthorized`; `not_found` where there is no token that could let the caller in
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
    throw unauthorized('invalid_key', 'This is not REEVE_METRICS_TOKEN.')
}

/** Compares in a time that says nothing of where two secrets differ. */
function isTimingSafeEqual(provided: string, secret: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(provided), hash(secret))
}
