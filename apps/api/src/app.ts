import { createSequenceReader } from '@reeve/audit'
import {
  ApiKeys,
  type AppContext,
  gate,
  newFirstRunCode,
  type Settings,
  sessionCookieName,
  workspaceStates,
} from '@reeve/auth'
import type { ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { createCommit } from '@reeve/http'
import type { InstanceParts } from '@reeve/instance'
import { Meter, openRateLimiter } from '@reeve/metering'
import { Elysia } from 'elysia'
import { backupState } from './backups/state.ts'
import { cors } from './cors.ts'
import { docs } from './docs.ts'
import { errorMapper } from './errors.ts'
import { Fields } from './fields.ts'
import { health } from './health.ts'
import { MethodTable } from './methods.ts'
import { openMetrics } from './metrics.ts'
import { bothOf, type Observer, observation } from './observe.ts'
import { portal } from './portal.ts'
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
  readonly peerOf: (request: Request) => string
}

/** Everything that answers: the whole composition on one screen. */
export function createApp(options: AppOptions) {
  const { db, ports, images, settings, legacyPrefix, corsOrigins } = options
  const metrics = openMetrics(db)
  const observer = bothOf(options.observer, metrics.observer)
  const originals = new WeakMap<Request, Request>()
  const peerOf = (request: Request) => options.peerOf(originals.get(request) ?? request)
  const meter = new Meter(db, ports)
  const keys = new ApiKeys(db, ports)
  const { rateLimiter, broadcastUsage } = openRateLimiter(db, ports)
  const auth = gate({
    db,
    ports,
    meter,
    keys,
    settings,
    rates: rateLimiter,
    workspaceOf: workspaceStates(db),
    sessionCookie: sessionCookieName(settings.publicUrl),
    peerOf,
  })
  const ending = new AbortController()
  const context: AppContext = {
    db,
    ports,
    images,
    meter,
    writeLastUses: () => keys.flush(),
    settings,
    auth,
    sequenceOf: createSequenceReader(db),
    ending: ending.signal,
    commit: createCommit(db, ports, meter),
  }
  const firstRunCode = newFirstRunCode(ports)
  const { folder, backupEvery } = options
  const instanceParts: InstanceParts = {
    version: VERSION,
    backups: () => backupState(folder, backupEvery, ports.now()),
  }
  const observing = observation(observer, ports, meter)
  const methods = new MethodTable()
  const fields = new Fields()

  const app = new Elysia({ normalize: false })
    .use(observing.plugin)
    .use(cors(corsOrigins))
    .onError(errorMapper({ methodsAt: (path) => methods.at(path), report: observer.failure }))
    .use(fields.plugin)
  for (const resource of publicResources(context)) {
    for (const prefix of [CURRENT_PREFIX, legacyPrefix]) app.group(prefix, (at) => at.use(resource))
  }
  for (const resource of portalResources(context, firstRunCode, instanceParts)) app.use(resource)
  app.use(portal(context))
  app.use(docs(context, legacyPrefix))
  app.use(health(context, { page: metrics.page, token: options.metricsToken ?? null }, peerOf))
  for (const route of app.routes) {
    methods.add(route.path, route.method)
    fields.learn(route)
  }

  async function answer(request: Request): Promise<Response> {
    const response = await app.fetch(request)
    observing.answered(request, response)
    return response
  }

  /** Answers a request. HEAD is GET without the body, wherever GET answers. */
  async function fetch(request: Request): Promise<Response> {
    if (request.method !== 'HEAD') return answer(request)
    const asGet = new Request(request.url, { headers: request.headers })
    originals.set(asGet, request)
    const { status, headers, body } = await answer(asGet)
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

  return { app, context, fetch, endStreams, flush, flushCounts, tellRates: broadcastUsage, firstRunCode }
}
