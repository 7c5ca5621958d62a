import { createHistoryReader } from '@reeve/audit'
import {
  ApiKeyCache,
  type AppContext,
  createWorkspaceStateCache,
  gate,
  generateFirstRunCode,
  isForwardedHttps,
  type ListBackups,
  type ProviderFailure,
  type Settings,
} from '@reeve/auth'
import type { EvidenceStore, ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import {
  createBodyReceiver,
  createCommit,
  createFileReceiver,
  type FileLimits,
  IdempotencyKeys,
  type ReceiveLimits,
} from '@reeve/http'
import type { ProgramInfo } from '@reeve/instance'
import { createHub } from '@reeve/live'
import { createStorageTotalsReader, Meter, openRateLimiter, StorageGuard } from '@reeve/metering'
import { Elysia } from 'elysia'
import { clients } from './clients/routes.ts'
import { compressResponse } from './compress.ts'
import { cors } from './cors.ts'
import { docs } from './docs/routes.ts'
import { getBackupStatus } from './doctor/backup-status.ts'
import { createErrorMapper } from './errors.ts'
import { health } from './health.ts'
import { createHostCheck, hostCheck } from './host-check.ts'
import { MethodTable } from './method-table.ts'
import { createMetricsHandler } from './metrics/endpoint.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createNotFoundPage } from './portal/not-found.ts'
import { portal } from './portal/routes.ts'
import { combineObservers, createRequestObserver, type Observer } from './request-observer.ts'
import { createProxyWarning, createRequestWarnings } from './request-warnings.ts'
import { CURRENT_PREFIX, portalResources, publicResources } from './resources.ts'
import { createSecurityHeaders } from './security-headers.ts'
import { securityTxt } from './security-txt.ts'
import { VERSION } from './version.ts'

export interface AppOptions {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly evidence: EvidenceStore
  readonly settings: Settings
  readonly legacyPrefix: string
  readonly corsOrigins: readonly string[]
  /** Host names, besides that of the public URL, that requests may be for. */
  readonly hosts: readonly string[]
  readonly observer: Observer
  /** Receives what went wrong with an identity provider. */
  readonly onProviderFailure: (failure: ProviderFailure) => void
  /** Receives what requests say about mistakes in the deployment, each once. */
  readonly onWarning: (message: string) => void
  /** The data folder; null if the data is in PostgreSQL. */
  readonly folder: string | null
  readonly listBackups: ListBackups
  /** Between automatic backups; null if there are none. */
  readonly backupIntervalMs: number | null
  /** Whether the settings of the server name a bucket for backups. */
  readonly hasOffsiteBackups: boolean
  /** Bearer token for `/metrics`; without it, there are no metrics at this address. */
  readonly metricsToken?: string | null
  /** The URL of the contact for vulnerabilities; without it, there is no `security.txt`. */
  readonly securityContact?: string | null
  /** Limits of request bodies; others only in tests. */
  readonly receiveLimits?: ReceiveLimits
  /** Limits of uploaded files; others only in tests. */
  readonly fileLimits?: FileLimits
  /** The IP address of the connected client; empty if the request did not come over a network. */
  readonly getPeerIp: (request: Request) => string
}

/** Composes the whole app: every plugin and route. */
export function createApp(options: AppOptions) {
  const { db, ports, images, settings, legacyPrefix, corsOrigins, hosts } = options
  const isPublicUrlHttps = settings.publicUrl.protocol === 'https:'
  const shutdown = new AbortController()
  const hub = createHub(db, ports, shutdown.signal)
  const { folder, backupIntervalMs, hasOffsiteBackups } = options
  const metrics = createMetrics(
    {
      db,
      readStorage: createStorageTotalsReader(db, settings.storageQuota),
      folder,
      backupIntervalMs,
      hasOffsiteBackups,
      countLiveStreams: hub.countStreams,
      now: ports.now,
    },
    ports,
  )
  const observer = combineObservers(options.observer, metrics.observer)
  const originalRequests = new WeakMap<Request, Request>()
  const getPeerIp = (request: Request) => options.getPeerIp(originalRequests.get(request) ?? request)
  const requestWarnings = createRequestWarnings(options.onWarning)
  const meter = new Meter(db, ports)
  const idempotencyKeys = new IdempotencyKeys(db, ports)
  const requestObserver = createRequestObserver(observer, ports, meter)
  const storage = new StorageGuard(db, settings.storageQuota)
  const keys = new ApiKeyCache(db, ports)
  const bodies = createBodyReceiver(options.receiveLimits)
  const { rateLimiter, broadcastUsage } = openRateLimiter(db, ports)
  const auth = gate({
    db,
    ports,
    meter,
    idempotencyKeys,
    keys,
    settings,
    rateLimiter,
    bodies,
    getWorkspaceState: createWorkspaceStateCache(db, ports),
    getPeerIp,
    onUntrustedProxy: createProxyWarning(requestWarnings),
    onIdentified: requestObserver.onIdentified,
  })
  const context: AppContext = {
    db,
    ports,
    images,
    evidence: options.evidence,
    listBackups: options.listBackups,
    files: createFileReceiver(options.fileLimits),
    meter,
    storage,
    flushKeyUsage: () => keys.flush(),
    settings,
    onProviderFailure: options.onProviderFailure,
    isHttps: (request) =>
      isPublicUrlHttps || isForwardedHttps(getPeerIp(request), request.headers, settings.trustedProxies),
    auth,
    history: createHistoryReader(db),
    onSignIn: observer.onSignIn,
    onSignInFailure: observer.onSignInFailure,
    shutdownSignal: shutdown.signal,
    commit: createCommit(db, ports, meter, storage, idempotencyKeys),
  }
  const firstRunCode = generateFirstRunCode(ports)
  const programInfo: ProgramInfo = {
    version: VERSION,
    backups: () => getBackupStatus(folder, backupIntervalMs, hasOffsiteBackups, ports.now()),
    warnings: requestWarnings.list,
  }
  const methods = new MethodTable()

  // Otherwise the framework looks for the path after the 11th character of the URL, which a short host name breaks.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .headers(createSecurityHeaders(isPublicUrlHttps))
    .use(requestObserver.plugin)
    .use(cors(corsOrigins))
    .onError(
      createErrorMapper({
        findMethods: (path) => methods.find(path),
        renderNotFoundPage: createNotFoundPage(CURRENT_PREFIX, legacyPrefix),
        report: observer.onFailure,
      }),
    )
    .use(
      hostCheck({ publicUrl: settings.publicUrl, hosts, isEnforced: settings.hasPublicUrl }, requestWarnings),
    )
  for (const resource of publicResources(context)) {
    for (const prefix of [CURRENT_PREFIX, legacyPrefix]) app.group(prefix, (at) => at.use(resource))
  }
  for (const resource of portalResources(context, firstRunCode, programInfo, hub)) app.use(resource)
  app.use(portal(context))
  app.use(docs(context, legacyPrefix))
  app.use(clients(context))
  app.use(health(context, { render: metrics.render, token: options.metricsToken ?? null }))
  app.use(securityTxt(context, options.securityContact ?? null))
  for (const route of app.routes) methods.add(route.path, route.method)

  async function handle(request: Request): Promise<Response> {
    try {
      const response = await app.fetch(request)
      requestObserver.onResponse(request, response)
      return compressResponse(request, response)
    } finally {
      bodies.release(request)
    }
  }

  /**
   * Handles a request. Every GET route also answers HEAD, with the response of a GET: the server sends its headers with
   * the length of its body, and drops the body.
   */
  function fetch(request: Request): Promise<Response> {
    if (request.method !== 'HEAD' && !request.url.startsWith('/')) return handle(request)
    const url = completeUrl(request.url)
    const replaced =
      request.method === 'HEAD'
        ? new Request(url, { headers: request.headers, signal: request.signal })
        : new Request(url, request)
    originalRequests.set(replaced, request)
    return handle(replaced)
  }

  /** Writes the request counts that are buffered in memory. */
  const flushCounts = (): Promise<void> => meter.flush()

  /** Writes everything buffered in memory, including the last uses of API keys. Also called at shutdown. */
  async function flush(): Promise<void> {
    await Promise.all([meter.flush(), keys.flush()])
  }

  /** Ends open event streams. Called once at shutdown. */
  const endStreams = (): void => shutdown.abort()

  const { jobObserver, onMail } = metrics

  return {
    app,
    context,
    storage,
    fetch,
    endStreams,
    shutdownSignal: shutdown.signal,
    flush,
    flushCounts,
    broadcastUsage,
    firstRunCode,
    jobObserver,
    onMail,
    listWarnings: requestWarnings.list,
    handleMetrics: createMetricsHandler(
      metrics.render,
      createHostCheck({ publicUrl: settings.publicUrl, hosts, isEnforced: true }, requestWarnings),
    ),
  }
}

/** The URL of a request whose `Host` is missing or invalid is a path, which the framework would read from its middle on, or no URL at all. */
const completeUrl = (url: string): string =>
  URL.canParse(url) ? url : `http://localhost${url.replace(/^https?:\/\/[^/]*/, '')}`
