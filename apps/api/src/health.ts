import { timingSafeEqual } from 'node:crypto'
import { type AppContext, isWithin, readRange } from '@reeve/auth'
import { AppError, type AuthorizationReason } from '@reeve/core'
import { errorResponses, responseObject, stringField } from '@reeve/http'
import { Elysia } from 'elysia'
import { nothingHere } from './errors.ts'
import type { Metrics } from './metrics.ts'

/** What `/metrics` shows, and to whom. */
export interface MetricsDoor {
  readonly page: Metrics['page']
  /** Opens it to whoever sends this, from wherever; null leaves it to this machine. */
  readonly token: string | null
}

const rule = { who: 'anyone', permission: null, workspace: 'none' } as const

const StatusAnswer = responseObject({ status: stringField('`ok`', 'ok') }, 'All is well')

const LOOPBACK = ['127.0.0.0/8', '::1'].map(readRange).filter((range) => range !== null)

/** What a proxy adds: a call that came through one is not from this machine, whoever handed it over. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** `/healthz`, `/readyz` and `/metrics`: for those who run the instance, outside every workspace. */
export const health = (app: AppContext, metrics: MetricsDoor, peerOf: (request: Request) => string) =>
  new Elysia({ name: 'health', tags: ['Running'], normalize: false })
    .use(app.auth)
    .get('/healthz', async () => ({ status: 'ok' }), {
      permission: rule,
      response: { 200: StatusAnswer },
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
        permission: rule,
        response: { 200: StatusAnswer, ...errorResponses() },
        detail: { summary: 'Whether the database answers too', hide: true },
      },
    )
    .get(
      '/metrics',
      async ({ request, set }) => {
        needReaderOfMetrics(metrics.token, peerOf(request), request.headers)
        const { contentType, text } = await metrics.page()
        set.headers['content-type'] = contentType
        return text
      },
      { permission: rule, detail: { summary: 'Figures for Prometheus', hide: true } },
    )

/**
 * Lets this machine in, and whoever has the token.
 * @throws AppError `unauthorized`; `not_found` where there is no token that could let the caller in
 */
function needReaderOfMetrics(token: string | null, peer: string, headers: Headers): void {
  const isForwarded = FORWARDED.some((header) => headers.has(header))
  if (!isForwarded && isWithin(peer, LOOPBACK)) return
  if (token === null) throw nothingHere()
  const given = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const refused = (reason: AuthorizationReason, message: string) =>
    new AppError('unauthorized', { reason, message })
  if (given === undefined) throw refused('missing_credentials', 'Send REEVE_METRICS_TOKEN as a bearer token.')
  if (!isSame(given, token)) throw refused('invalid_key', 'This is not REEVE_METRICS_TOKEN.')
}

/** Compares in a time that says nothing of where two secrets differ. */
function isSame(given: string, secret: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(secret))
}
