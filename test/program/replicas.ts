import { expect } from 'bun:test'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { startPooler } from '@reeve/db/test-pooler'
import { temporaryFolder } from '../support/folder.ts'
import { PASSWORD } from '../support/instance.ts'
import { startNginx } from '../support/nginx.ts'
import { type Running, reeve, serve } from '../support/program.ts'
import { INIT } from './commands.ts'

/** Whatever a replica keeps in memory holds for no longer than this after it has changed on another one. */
export const SOON_MS = 1000

/** Whatever answers: one of the replicas, or nginx before them. */
export type Answering = Pick<Running, 'url'>

interface Given {
  readonly key?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

export async function call({ url }: Answering, method: string, path: string, given: Given = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(given.key === undefined ? {} : { authorization: `Bearer ${given.key}` }),
      ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given.headers,
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  })
  // The tests look into bodies of every shape; what they find is asserted, not typed.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body = (await response.json()) as any
  return { status: response.status, headers: response.headers, body }
}

/** How long it takes until something holds, asked for again and again; fails where it never does. */
export async function timeUntil(holds: () => Promise<boolean>): Promise<number> {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > 20 * SOON_MS) throw new Error('it never held')
  }
  return performance.now() - since
}

export async function signIn(on: Answering, password = PASSWORD, username = 'robin') {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await call(on, 'POST', '/portal/api/sign-in', { headers, body: { username, password } })
  return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/**
 * Three servers over one database, behind nginx: one as it comes, one whose calls go by way of a pooler, and one whose line
 * to the database can be cut.
 */
export async function openReplicas() {
  const folder = temporaryFolder()
  const url = await createDatabase('template1')
  const line = createFaultProxy(url)
  const pooler = await startPooler(url)
  const env = { REEVE_DATABASE_URL: url, REEVE_KEY_RATE_PER_MINUTE: '0' }
  const start = (more: Readonly<Record<string, string>> = {}) =>
    serve({ dataDir: folder.data, env: { ...env, ...more } })
  // The schema is brought up to date by one of them, while the others wait.
  const replicas = await Promise.all([
    start(),
    start({ REEVE_DATABASE_POOLER_URL: pooler.url }),
    start({ REEVE_DATABASE_URL: line.url }),
  ])
  const front = await startNginx(replicas.map((replica) => replica.url))

  const command = async (args: readonly string[], stdin = '') => {
    const ended = await reeve([...args, '--json'], { dataDir: folder.data, env, stdin })
    expect(ended.err).toBe('')
    return JSON.parse(ended.out)
  }
  const made: { readonly workspaceId: string; readonly apiKey: string } = await command(INIT, PASSWORD)
  const { workspaceId } = made

  return {
    ...made,
    url,
    replicas,
    front,
    line,
    command,
    start,
    /** Makes a key of the workspace, with every permission. */
    keyNamed: (name: string): Promise<{ readonly keyId: string; readonly apiKey: string }> =>
      command(['key', 'create', '--workspace', workspaceId, '--name', name, '--permissions', 'all']),
    departments: (on: Answering, key: string) =>
      call(on, 'GET', `/api/departments?workspaceId=${workspaceId}`, { key }),
    ban: (on: Answering, userId: string, headers: Record<string, string> = {}) =>
      call(on, 'POST', '/api/moderation', {
        key: made.apiKey,
        headers,
        body: { workspaceId, action: 'ban', userId, reason: 'Exploiting' },
      }),
    /** Many calls at once through nginx, which gives each replica its share. */
    atOnce: <Answer>(many: number, step: (on: Answering) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: many }, () => step(front))),
    async close() {
      await front.stop()
      const codes = await Promise.all(replicas.map(({ stop }) => stop()))
      pooler.stop()
      await dropDatabase(url)
      folder.remove()
      expect(codes).toEqual([0, 0, 0])
    },
  }
}

export type Replicas = Awaited<ReturnType<typeof openReplicas>>
