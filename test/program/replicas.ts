import { expect } from 'bun:test'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { startPooler } from '@reeve/db/test-pooler'
import { PASSWORD } from '../support/instance.ts'
import { startNginx } from '../support/nginx.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

/** The longest time until a replica applies a change that another one has committed. */
export const MAX_PROPAGATION_MS = 1000

/** One of the replicas, or nginx in front of them. */
export type ServerUrl = Pick<RunningServer, 'url'>

interface RequestOptions {
  readonly key?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

export async function request(
  { url }: ServerUrl,
  method: string,
  path: string,
  options: RequestOptions = {},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  // The tests read bodies of every shape; they assert values instead of types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body = (await response.json()) as any
  return { status: response.status, headers: response.headers, body }
}

/**
 * Polls a condition until it is true; fails after a timeout.
 * @returns when the last check began for which it was false, in milliseconds from now: how long a slow machine takes to respond is not
 * part of it
 */
export async function measureUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  let lastFalseAt = 0
  for (;;) {
    const checkedAt = performance.now() - startedAt
    if (await condition()) return lastFalseAt
    if (checkedAt > 20 * MAX_PROPAGATION_MS) throw new Error('the condition was never true')
    lastFalseAt = checkedAt
  }
}

/**
 * How long a server keeps a result waiting. It fails after a timeout.
 * @returns when the last request was sent that the server answered before the result, in milliseconds from now
 */
export function measureDelay({ url }: ServerUrl, result: Promise<unknown>): Promise<number> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  result.then(settle, settle)
  return measureUntil(async () => {
    await fetch(`${url}/healthz`)
    return isSettled
  })
}

export async function signIn(target: ServerUrl, password = PASSWORD, username = 'robin') {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await request(target, 'POST', '/portal/api/sign-in', {
    headers,
    body: { username, password },
  })
  return { status: response.status, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/**
 * Three servers with one database behind nginx: one with default settings, one behind a connection pooler, and one whose
 * database connections can be cut.
 */
export async function openReplicaFixture() {
  const folder = temporaryFolder()
  const url = await createDatabase('template1')
  const cuttableProxy = createFaultProxy(url)
  const pooler = await startPooler(url)
  const env = { REEVE_DATABASE_URL: url, REEVE_KEY_RATE_PER_MINUTE: '0' }
  const startReplica = (extraEnv: Readonly<Record<string, string>> = {}) =>
    startServer({ dataDir: folder.data, env: { ...env, ...extraEnv } })
  // One of them applies the migrations while the others wait.
  const replicas = await Promise.all([
    startReplica(),
    startReplica({ REEVE_DATABASE_POOLER_URL: pooler.url }),
    startReplica({ REEVE_DATABASE_URL: cuttableProxy.url }),
  ])
  const nginx = await startNginx(replicas.map((replica) => replica.url))

  const runCommand = async (args: readonly string[], stdin = '') => {
    const result = await runReeve([...args, '--json'], { dataDir: folder.data, env, stdin })
    expect(result.err).toBe('')
    return JSON.parse(result.out)
  }
  const initResult: { readonly workspaceId: string; readonly apiKey: string } = await runCommand(
    INIT_ARGS,
    PASSWORD,
  )
  const { workspaceId } = initResult

  return {
    ...initResult,
    url,
    replicas,
    nginx,
    cuttableProxy,
    runCommand,
    startReplica,
    /** Creates an API key of the workspace with every permission. */
    createKey: (name: string): Promise<{ readonly keyId: string; readonly apiKey: string }> =>
      runCommand(['key', 'create', '--workspace', workspaceId, '--name', name, '--permissions', 'all']),
    listDepartments: (target: ServerUrl, key: string) =>
      request(target, 'GET', `/api/departments?workspaceId=${workspaceId}`, { key }),
    banPlayer: (target: ServerUrl, userId: string, headers: Record<string, string> = {}) =>
      request(target, 'POST', '/api/moderation', {
        key: initResult.apiKey,
        headers,
        body: { workspaceId, action: 'ban', userId, reason: 'Exploiting' },
      }),
    /** Sends concurrent requests through nginx, which distributes them over the replicas. */
    requestConcurrently: <Result>(
      count: number,
      sendRequest: (target: ServerUrl) => Promise<Result>,
    ): Promise<Result[]> => Promise.all(Array.from({ length: count }, () => sendRequest(nginx))),
    async close() {
      await nginx.stop()
      const codes = await Promise.all(replicas.map(({ stop }) => stop()))
      pooler.stop()
      await dropDatabase(url)
      folder.remove()
      expect(codes).toEqual([0, 0, 0])
    },
  }
}

export type ReplicaFixture = Awaited<ReturnType<typeof openReplicaFixture>>
