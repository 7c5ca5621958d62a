import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '@reeve/core'
import { copyEmptyInstance } from './engine.ts'
import { PASSWORD, type TestResponse } from './instance.ts'
import { BINARY, runReeve, startServer } from './program.ts'
import { readSessionToken } from './session-token.ts'
import { waitForJob } from './workspace-jobs.ts'

export const OWNER = 'robin'
export const GROUP = 'Night Shift'

const COOKIE = 'reeve_session'

/**
 * Starts the built program on a real port with an empty instance.
 * @param env further settings @param flags after those of the server
 */
export async function startTestServer(
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'reeve-server-'))
  if (env.REEVE_DATABASE_URL === undefined) await copyEmptyInstance(dataDir)
  const options = {
    dataDir,
    program: BINARY,
    env: {
      REEVE_SESSION_RATE_PER_MINUTE: '0',
      REEVE_KEY_RATE_PER_MINUTE: '0',
      REEVE_WORKSPACES_PER_ACCOUNT: '0',
      REEVE_WORKSPACE_JOBS_PER_DAY: '0',
      ...env,
    },
  }
  const process = await startServer({ ...options, flags })
  const { firstRunCode } = await process.waitForLog((line) => typeof line.firstRunCode === 'string')

  /** Sends a request, with a session if one is given. Waits for the job that it starts. */
  async function request(
    method: string,
    path: string,
    requestOptions: { session?: string; body?: object } = {},
  ) {
    const response = await fetch(`${process.url}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(requestOptions.session === undefined ? {} : { cookie: `${COOKIE}=${requestOptions.session}` }),
        ...(requestOptions.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(requestOptions.body === undefined ? {} : { body: JSON.stringify(requestOptions.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const body = isJson ? JSON.parse(text) : null
    if (method !== 'GET') await waitForJob(body, (workspaceId) => readJobs(workspaceId, requestOptions))
    return { status: response.status, headers: response.headers, text, body } satisfies TestResponse
  }

  const readJobs = async (workspaceId: string, { session }: { session?: string }) =>
    (
      await requestOk('GET', `/portal/api/jobs?workspaceId=${workspaceId}`, {
        ...(session !== undefined && { session }),
      })
    ).body.jobs

  /** @throws unless the status is 200 */
  async function requestOk(
    method: string,
    path: string,
    requestOptions: { session?: string; body?: object } = {},
  ) {
    const response = await request(method, path, requestOptions)
    if (response.status !== 200)
      throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
    return response
  }

  /** Sends a request with an API key: POST if it has a body, otherwise GET. */
  async function requestWithKey(key: string, path: string, body?: object) {
    const response = await fetch(`${process.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: await response.json() }
  }

  /** Signs in. @returns the session token */
  const session = async (username = OWNER, password = PASSWORD): Promise<string> =>
    readSessionToken(await requestOk('POST', '/portal/api/sign-in', { body: { username, password } }))

  /** Completes the first run: an operator who owns a workspace. */
  async function setUp(groupName = GROUP) {
    const response = await requestOk('POST', '/portal/api/first-run', {
      body: { code: String(firstRunCode), username: OWNER, password: PASSWORD, groupName },
    })
    return { session: readSessionToken(response), workspaceId: String(response.body.workspaceId) }
  }

  /** Creates an account with the CLI. @returns its id */
  async function createAccount(username: string): Promise<string> {
    const args = ['user', 'create', '--username', username, '--password-stdin', '--json']
    const { exitCode, out, err } = await runReeve(args, { ...options, stdin: PASSWORD })
    if (exitCode !== 0) throw new Error(`the account was not created: ${err}`)
    return String(JSON.parse(out).userId)
  }

  /** Creates an account that is a member, with the link of an invitation: a fifth of the time of the CLI. @returns its session token */
  async function addMember(
    { workspaceId, session: owner }: { readonly workspaceId: string; readonly session: string },
    username: string,
    roleIds = '',
  ): Promise<string> {
    const { body } = await requestOk('POST', '/portal/api/invitations', {
      session: owner,
      body: { workspaceId, roleIds },
    })
    return readSessionToken(
      await requestOk('POST', '/portal/api/invitation/sign-up', {
        body: { token: body.token, username, password: PASSWORD },
      }),
    )
  }

  /** Creates an account that is a member with a role of exactly these permissions. @returns its session token */
  async function createMember(
    workspaceRef: { readonly workspaceId: string; readonly session: string },
    username: string,
    permissions: readonly Permission[],
    role: { readonly name: string; readonly color?: string } = { name: `Role of ${username}` },
  ): Promise<string> {
    const { workspaceId, session: owner } = workspaceRef
    const created = await requestOk('POST', '/portal/api/roles', {
      session: owner,
      body: { workspaceId, rank: '10', ...role, permissions: JSON.stringify(permissions) },
    })
    return addMember(workspaceRef, username, created.body.role.id)
  }

  return {
    dataDir,
    origin: process.url,
    code: String(firstRunCode),
    process,
    request,
    requestOk,
    requestWithKey,
    session,
    setUp,
    createAccount,
    addMember,
    createMember,
    /** The session cookie of a browser. */
    cookie: (token: string) => ({ name: COOKIE, value: token, url: process.url, httpOnly: true }),
    async close() {
      await process.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
