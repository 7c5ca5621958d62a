import { createApp } from '@reeve/api'
import { runBatches } from '@reeve/api/jobs/batches'
import { createWorkspaceJobRunner } from '@reeve/api/jobs/workspace-jobs'
import { claimSecretKey } from '@reeve/api/secret-key/check-value'
import { createAccount, createApiKey, createSession } from '@reeve/auth'
import {
  type Actor,
  anonymousActor,
  formatLimits,
  NO_LIMITS,
  normalizeName,
  OWNER_RANK,
  type Permission,
  permissions,
  type RoleLimits,
} from '@reeve/core'
import { insertMember, insertMemberRole, insertRole, openDatabase, yieldToEventLoop } from '@reeve/db'
import { runErasures, runImports as runQueuedImports } from '@reeve/moderation'
import { createWorkspace } from '@reeve/workspaces'
import { APP_OPTIONS } from './app-options.ts'
import { createTestClock, createTestPorts } from './clock.ts'
import { createTestStorage } from './engine.ts'
import { chooseStores, createSettings, type InstanceOptions } from './instance-options.ts'
import { createVerifiedSessions } from './verified-sessions.ts'

export const PUBLIC_URL = 'http://localhost:3000'
export const LEGACY_PREFIX = '/api/public/v1'
export const PASSWORD = 'a long enough secret'
/** A valid id that does not exist. */
export const UNKNOWN_ID = '0198c0de-dead-7000-8000-00000000dead'
/** Elysia starts a collection for every app that it compiles: once in the program, but once per test here, an eighth of the time of the contract tests. */
const collectGarbage = Bun.gc
Bun.gc = (synchronous) => (synchronous ? collectGarbage(true) : 0)

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
  const { database: db } = await openDatabase(storage, ports.now)
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
    settings: createSettings({ publicUrl: PUBLIC_URL, ...options }),
    legacyPrefix: LEGACY_PREFIX,
    corsOrigins: options.corsOrigins ?? [],
    hasPublicUrl: options.publicUrl !== undefined,
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
    await runBatches({ db, ports, onFailure: (error) => unexpectedErrors.push(error) }, signal)
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

  const system: Actor = {
    ...anonymousActor,
    id: 'test',
    name: 'test',
    permissions: new Set(permissions),
    rank: OWNER_RANK,
  }
  let counter = 0
  const createName = (prefix: string) => `${prefix} ${++counter}`
  /** Creates an account with the password `PASSWORD`. @returns its id */
  async function account(name = createName('account'), isOperator = false): Promise<string> {
    const hash = await passwordHash
    const row = await db.write((tx) =>
      createAccount(tx, ports, system, { username: name, passwordHash: hash, isOperator }),
    )
    return row.id
  }

  /** Creates a session. @returns its token, for `request(…, { session })`; it never needs to be verified again */
  const session = (accountId: string): Promise<string> =>
    db.write(async (tx) => {
      const client = { ip: '127.0.0.1', userAgent: 'test', factors: ['password'] } as const
      const token = await createSession(tx, ports, accountId, client)
      verifiedSessions.add(token)
      return token
    })

  /** Creates a workspace with an owner and a key with every permission. */
  async function workspace(groupName = createName('group')) {
    const ownerId = await account()
    const { workspace: row, ownerRoleId } = await db.write((tx) =>
      createWorkspace(tx, ports, system, { groupName, ownerId }),
    )
    return { id: row.id, ownerId, ownerRoleId, key: await key(row.id), ownerSession: await session(ownerId) }
  }

  /** Creates a key with exactly these permissions. @returns its secret */
  async function key(
    workspaceId: string,
    permissionSet: readonly Permission[] = permissions,
    keyOptions: { expiresAt?: number; allowedAddresses?: readonly string[]; rank?: number } = {},
  ): Promise<string> {
    const actor: Actor = { ...system, workspaceId, rank: keyOptions.rank ?? OWNER_RANK }
    const { secret } = await db.write((tx) =>
      createApiKey(tx, ports, actor, {
        name: createName('key'),
        permissions: permissionSet,
        expiresAt: keyOptions.expiresAt ?? null,
        allowedAddresses: keyOptions.allowedAddresses ?? null,
      }),
    )
    return secret
  }

  /** Creates a role. @returns its id */
  async function role(
    workspaceId: string,
    permissionSet: readonly Permission[],
    rank = 10,
    limits: Partial<RoleLimits> = {},
  ): Promise<string> {
    const id = ports.newId()
    const name = createName('role')
    await db.write((tx) =>
      tx.run(insertRole, {
        workspace_id: workspaceId,
        id,
        name,
        name_key: normalizeName(name),
        color: null,
        rank,
        permissions: JSON.stringify(permissionSet),
        limits: formatLimits({ ...NO_LIMITS, ...limits }),
        is_owner: 0,
        second_factor_since: null,
        created_at: ports.now(),
        updated_at: ports.now(),
        version: 1,
      }),
    )
    return id
  }

  /** Creates an account that is a member with a role of exactly these permissions. */
  async function member(
    workspaceId: string,
    permissionSet: readonly Permission[],
    rank = 10,
    limits: Partial<RoleLimits> = {},
  ) {
    const accountId = await account()
    const roleId = await role(workspaceId, permissionSet, rank, limits)
    await db.write(async (tx) => {
      await tx.run(insertMember, { workspaceId, accountId, now: ports.now() })
      await tx.run(insertMemberRole, { workspaceId, accountId, roleId, now: ports.now() })
    })
    return { accountId, roleId, session: await session(accountId) }
  }

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
    account,
    session,
    workspace,
    key,
    role,
    member,
    flush,
    runJobs,
    runImports,
    close,
  }
}

export type Instance = Awaited<ReturnType<typeof openInstance>>
