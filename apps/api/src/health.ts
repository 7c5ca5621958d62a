import { type AppContext, publicRoute } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { errorResponses, responseObject, stringField } from '@reeve/http'
import { Elysia } from 'elysia'
import { assertMetricsToken, METRICS_PATH } from './metrics/endpoint.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createSecretKeyCheck } from './secret-key/current-key.ts'
import { VERSION } from './version.ts'

/** The content of `/metrics` and its access token. */
export interface MetricsEndpoint {
  readonly render: Metrics['render']
  /** The bearer token that allows reading it; null allows nobody. */
  readonly token: string | null
}

const status = stringField('`ok`', 'ok')
const LivenessResponse = responseObject(
  { status, version: stringField('Version of Reeve', '1.0.0') },
  'The process responds',
)
const ReadinessResponse = responseObject(
  { status },
  'The database responds, and belongs to the secret key of the process',
)

/** `/healthz`, `/readyz` and `/metrics` for monitoring; not part of any workspace. */
export const health = (app: AppContext, metrics: MetricsEndpoint) => {
  const assertSecretKey = createSecretKeyCheck(app)
  return new Elysia({ name: 'health', tags: ['Operations'], normalize: false })
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
        assertSecretKey()
        return { status: 'ok' }
      },
      {
        permission: publicRoute,
        response: { 200: ReadinessResponse, ...errorResponses() },
        detail: { summary: 'Readiness check, including the database', hide: true },
      },
    )
    .get(
      METRICS_PATH,
      async ({ request, set }) => {
        assertMetricsToken(metrics.token, request.headers)
        const { contentType, text } = await metrics.render()
        set.headers['content-type'] = contentType
        return text
      },
      { permission: publicRoute, detail: { summary: 'Prometheus metrics', hide: true } },
    )
}
