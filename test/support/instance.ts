import { createApp } from '@reeve/api'
import { createWorkspaceJobRunner } from '@reeve/api/jobs/workspace-jobs'
import { claimSecretKey } from '@reeve/api/secret-key/check-value'
import { openDatabase, yieldToEventLoop } from '@reeve/db'
import { runBatches, runErasures, runImports as runQueuedImports } from '@reeve/moderation'
import { APP_OPTIONS } from './app-options.ts'
import { createTestClock, createTestPorts } from './clock.ts'
import { createTestStorage } from './engine.ts'
import { chooseStores, createSettings, type InstanceOptions } from './instance-options.ts'
import { createInstanceRows } from './instance-rows.ts'
import './keep-garbage.ts'
import { createVerifiedSessions } from './verified-sessions.ts'

export const PUBLIC_URL = 'http://localhost:3000'
export const LEGACY_PREFIX = '/api/public/v1'
export const PASSWORD = 'a long enough secret'
/** A valid id that does not exist. */
export const UNKNOWN_ID = '0198c0de-dead-7000-8000-00000000dead'
const SAFE_METHODS = ['GET', 'HEAD']
/** Hashing and verifying is slow by design, so all test accounts share one hash of `PASSWORD` that takes the least memory and time. */
const passwordHash = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
/** A response with its body, parsed if it is JSON. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // Tests assert bodies of every shape instead of typing them.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
  readonly text: string
}
export interface RequestOptions {
  /** An API key, sent as a bearer token. */
  readonly key?: string
  /** A session token, sent as a browser would: cookie and `Sec-Fetch-Site: same-origin`. */
  readonly session?: string
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Client IP. Default: 127.0.0.1. */
  readonly from?: string
}
/** Opens a new instance with its own storage, on a clock that only the test moves. */
export async function openInstance(options: InstanceOptions = {}) {
  const storage = options.storage ?? (await createTestStorage(options.engine))
  const clock = options.clock ?? createTestClock()
  const ports = createTestPorts(clock)
  const { database: db } = await openDatabase(storage, { now: ports.now })
  await claimSecretKey(db, ports)
  const clientIps = new WeakMap<Request, string>()
  const unexpectedErrors: unknown[] = []
  const verifiedSessions = createVerifiedSessions(db, clock)
  const {
    app,
    context,
    fetch: handle,
    endStreams,
    flush,
    firstRunCode,
    jobObserver,
  } = createApp({
    ...APP_OPTIONS,
    db,
    ports,
    ...chooseStores(options),
    settings: {
      ...createSettings({ publicUrl: PUBLIC_URL, ...options }),
      hasPublicUrl: options.publicUrl !== undefined,
    },
    legacyPrefix: LEGACY_PREFIX,
    corsOrigins: options.corsOrigins ?? [],
    onProviderFailure: (failure) => options.oidc?.failures.push(failure),
    observer: {
      onResponse: () => {},
      onFailure: (error) => unexpectedErrors.push(error),
      onSignIn: () => {},
      onSignInFailure: () => {},
    },
    folder: storage.databaseUrl === null ? storage.dataDir : null,
    securityContact: options.securityContact ?? null,
    ...(options.receiveLimits && { receiveLimits: options.receiveLimits }),
    ...(options.fileLimits && { fileLimits: options.fileLimits }),
    getPeerIp: (request) => clientIps.get(request) ?? '127.0.0.1',
  })

  const fetch = async (httpRequest: Request): Promise<Response> => {
    await verifiedSessions.refresh(httpRequest)
    return handle(httpRequest)
  }

  /** Sends a request through the whole app. */
  async function request(
    method: string,
    path: string,
    requestOptions: RequestOptions = {},
  ): Promise<TestResponse> {
    const headers = new Headers(requestOptions.headers)
    if (requestOptions.key !== undefined) headers.set('authorization', `Bearer ${requestOptions.key}`)
    if (requestOptions.session !== undefined) {
      headers.set('cookie', `reeve_session=${requestOptions.session}`)
      if (!headers.has('sec-fetch-site') && !headers.has('origin'))
        headers.set('sec-fetch-site', 'same-origin')
    }
    if (requestOptions.body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json')
    const body =
      typeof requestOptions.body === 'string' || requestOptions.body === undefined
        ? requestOptions.body
        : JSON.stringify(requestOptions.body)
    const httpRequest = new Request(`${PUBLIC_URL}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    if (requestOptions.from !== undefined) clientIps.set(httpRequest, requestOptions.from)
    const response = await fetch(httpRequest)
    // The server drops the body of a response to HEAD.
    if (method === 'HEAD') await response.body?.cancel()
    const text = method === 'HEAD' ? '' : await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const responseBody = isJson && text ? JSON.parse(text) : null
    const hasQueuedJob =
      (responseBody?.job ?? responseBody?.batch ?? responseBody?.erasure)?.state === 'queued' &&
      !SAFE_METHODS.includes(method)
    if (hasQueuedJob && options.finishesJobs !== false) await runJobs()
    return { status: response.status, headers: response.headers, body: responseBody, text }
  }

  const jobsEnd = new AbortController()
  const jobRunner = createWorkspaceJobRunner({
    db,
    ports,
    limits: context.settings,
    pause: yieldToEventLoop,
    onFailure: (error) => unexpectedErrors.push(error),
    onFinished: jobObserver.onWorkspaceJobFinished,
  })

  /** Runs the jobs of workspaces, batches and erasures until none is left. Stops after the current transaction if `signal` is aborted. */
  const runJobs = async (signal = jobsEnd.signal): Promise<void> => {
    await jobRunner.drain(signal)
    await runBatches({ db, ports, runner: 'test', signal })
    await runErasures({ db, ports, evidence: context.evidence, signal })
  }

  /** Runs imports until none is left. */
  const runImports = (signal = jobsEnd.signal): Promise<void> =>
    runQueuedImports({
      ...context,
      runner: 'test',
      signal,
      onFailure: (error) => unexpectedErrors.push(error),
    })

  const rows = createInstanceRows({ db, ports, verifiedSessions, passwordHash })

  /** Closes the instance and deletes its storage. */
  async function close(): Promise<void> {
    endStreams()
    jobsEnd.abort()
    await flush()
    await db.close()
    await storage.remove()
  }

  return {
    app,
    context,
    firstRunCode,
    db,
    ports,
    clock,
    storage,
    unexpectedErrors,
    fetch,
    endStreams,
    request,
    ...rows,
    flush,
    runJobs,
    runImports,
    close,
  }
}

export type Instance = Awaited<ReturnType<typeof openInstance>>
