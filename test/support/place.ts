import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '@reeve/core'
import { type Answer, PASSWORD } from './instance.ts'
import { BINARY, reeve, serve } from './program.ts'

export const OWNER = 'robin'
export const GROUP = 'Night Shift'

const COOKIE = 'reeve_session'

/** The program as people run it, in an empty folder of its own, on a real port. */
export async function openPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'reeve-place-'))
  const options = {
    dataDir,
    program: BINARY,
    env: { REEVE_SESSION_RATE_PER_MINUTE: '0', REEVE_KEY_RATE_PER_MINUTE: '0' },
  }
  const running = await serve(options)
  const { firstRunCode } = await running.logged((line) => typeof line.firstRunCode === 'string')

  /** Makes a call, in a session where one is given. */
  async function call(method: string, path: string, given: { session?: string; body?: object } = {}) {
    const response = await fetch(`${running.url}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(given.session === undefined ? {} : { cookie: `${COOKIE}=${given.session}` }),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const body = isJson ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, body } satisfies Answer
  }

  /** Makes a call that has to go well. */
  async function must(method: string, path: string, given: { session?: string; body?: object } = {}) {
    const answer = await call(method, path, given)
    if (answer.status !== 200)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
    return answer
  }

  const sessionIn = ({ headers }: Answer): string =>
    RegExp(`${COOKIE}=([^;]+)`).exec(headers.get('set-cookie') ?? '')?.[1] ?? ''

  /** Begins a session. @returns its token */
  const session = async (username = OWNER, password = PASSWORD): Promise<string> =>
    sessionIn(await must('POST', '/portal/api/sign-in', { body: { username, password } }))

  /** The first run: an operator who owns a workspace. */
  async function setUp(groupName = GROUP) {
    const answer = await must('POST', '/portal/api/first-run', {
      body: { code: String(firstRunCode), username: OWNER, password: PASSWORD, groupName },
    })
    return { session: sessionIn(answer), workspaceId: String(answer.body.workspaceId) }
  }

  /** Makes an account from a shell, as whoever runs the server would. @returns its id */
  async function account(username: string): Promise<string> {
    const args = ['user', 'create', '--username', username, '--password-stdin', '--json']
    const { exitCode, out, err } = await reeve(args, { ...options, stdin: PASSWORD })
    if (exitCode !== 0) throw new Error(`no account was made: ${err}`)
    return String(JSON.parse(out).userId)
  }

  /** Makes an account that is a member, with a role of exactly these permissions. @returns its session */
  async function member(
    of: { readonly workspaceId: string; readonly session: string },
    username: string,
    permissions: readonly Permission[],
    role: { readonly name: string; readonly color?: string } = { name: `Role of ${username}` },
  ): Promise<string> {
    const { workspaceId, session: owner } = of
    await account(username)
    const made = await must('POST', '/portal/api/roles', {
      session: owner,
      body: { workspaceId, rank: '10', ...role, permissions: JSON.stringify(permissions) },
    })
    await must('POST', '/portal/api/members', {
      session: owner,
      body: { workspaceId, username, roleIds: made.body.role.id },
    })
    return session(username)
  }

  return {
    origin: running.url,
    code: String(firstRunCode),
    running,
    call,
    must,
    session,
    setUp,
    account,
    member,
    /** A session as a browser keeps it. */
    cookie: (token: string) => ({ name: COOKIE, value: token, url: running.url, httpOnly: true }),
    async close() {
      await running.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type Place = Awaited<ReturnType<typeof openPlace>>
