import { createSequenceReader } from '@reeve/audit'
import {
  ApiKeyCache,
  type AppContext,
  createWorkspaceStateCache,
  gate,
  generateFirstRunCode,
  getSessionCookieName,
  type Settings,
} from '@reeve/auth'
import type { ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { createCommit } from '@reeve/http'
import type { ProgramInfo } from '@reeve/instance'
import { Meter, openRateLimiter } from '@reeve/metering'
import { Elysia } from 'elysia'
import { getBackupStatus } from './backups/status.ts'
import { cors } from './cors.ts'
import { docs } from './docs/routes.ts'
import { createErrorMapper } from './errors.ts'
import { health } from './health.ts'
import { MethodTable } from './method-table.ts'
import { createMetrics } from './metrics.ts'
import { portal } from './portal/routes.ts'
import { combineObservers, createRequestObserver, type Observer } from './request-observer.ts'
import { CURRENT_PREFIX, portalResources, publicResources } from './resources.ts'
import { VERSION } from './version.ts'

export interface AppOptions {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly settings: Settings
  readonly legacyPrefix: string
  readonly corsOrigins: readonly string[]
  readonly observer: Observer
  /** Where the data lies; null where it is on a database server. */
  readonly folder: string | null
  /** How often the server makes a backup, in milliseconds; null where it makes none. */
  readonly backupEvery: number | null
  /** Opens `/metrics` to whoever sends it; to this machine alone by default. */
  readonly metricsToken?: string | null
  /** The network address of a request's sender; empty where it came over no network. */
  readonly getPeerIp: (request: Request) => string
}

/** Everything that answers: the whole composition on one screen. */
export function createApp(options: AppOptions) {
  const { db, ports, images, settings, legacyPrefix, corsOrigins } = options
  const metrics = createMetrics(db)
  const observer = combineObservers(options.observer, metrics.observer)
  const originalRequests = new WeakMap<Request, Request>()
  const getPeerIp = (request: Request) => options.getPeerIp(originalRequests.get(request) ?? request)
  const meter = new Meter(db, ports)
  const keys = new ApiKeyCache(db, ports)
  const { rateLimiter, broadcastUsage } = openRateLimiter(db, ports)
  const auth = gate({
    db,
    ports,
    meter,
    keys,
    settings,
    rateLimiter: rateLimiter,
    getWorkspaceState: createWorkspaceStateCache(db),
    sessionCookieName: getSessionCookieName(settings.publicUrl),
    getPeerIp,
  })
  const ending = new AbortController()
  const context: AppContext = {
    db,
    ports,
    images,
    meter,
    flushKeyUsage: () => keys.flush(),
    settings,
    auth,
    getSequence: createSequenceReader(db),
    shutdownSignal: ending.signal,
    commit: createCommit(db, ports, meter),
  }
  const firstRunCode = generateFirstRunCode(ports)
  const { folder, backupEvery } = options
  const programInfo: ProgramInfo = {
    version: VERSION,
    backups: () => getBackupStatus(folder, backupEvery, ports.now()),
  }
  const requestObserver = createRequestObserver(observer, ports, meter)
  const methods = new MethodTable()

  const app = new Elysia({ normalize: false })
    .use(requestObserver.plugin)
    .use(cors(corsOrigins))
    .onError(createErrorMapper({ findMethods: (path) => methods.find(path), report: observer.onFailure }))
  for (const resource of publicResources(context)) {
    for (const prefix of [CURRENT_PREFIX, legacyPrefix]) app.group(prefix, (at) => at.use(resource))
  }
  for (const resource of portalResources(context, firstRunCode, programInfo)) app.use(resource)
  app.use(portal(context))
  app.use(docs(context, legacyPrefix))
  app.use(health(context, { render: metrics.render, token: options.metricsToken ?? null }, getPeerIp))
  for (const route of app.routes) methods.add(route.path, route.method)

  async function handle(request: Request): Promise<Response> {
    const response = await app.fetch(request)
    requestObserver.onResponse(request, response)
    return response
  }

  /** Answers a request. HEAD is GET without the body, wherever GET answers. */
  async function fetch(request: Request): Promise<Response> {
    if (request.method !== 'HEAD') return handle(request)
    const asGet = new Request(request.url, { headers: request.headers })
    originalRequests.set(asGet, request)
    const { status, headers, body } = await handle(asGet)
    await body?.cancel()
    return new Response(null, { status, headers })
  }

  /** Writes the counts of calls that have gathered in memory: called every second. */
  const flushCounts = (): Promise<void> => meter.flush()

  /** Writes all that has gathered, the last uses of keys too: called now and then, and at the end. */
  async function flush(): Promise<void> {
    await Promise.all([meter.flush(), keys.flush()])
  }

  /** Ends what goes on without an end of its own: called once, when the instance stops. */
  const endStreams = (): void => ending.abort()

  return { app, context, fetch, endStreams, flush, flushCounts, broadcastUsage: broadcastUsage, firstRunCode }
}
