import { mkdirSync } from 'node:fs'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { readSessionToken } from '../support/session-token.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OWNER = { username: 'robin', password: 'a long enough secret' }
const INIT = [
  ...['init', '--username', OWNER.username, '--password-stdin'],
  ...['--group-name', 'Night Owls', '--key-name', 'bot', '--json'],
]

/** Starts the binary with a workspace and an API key. @param env its settings */
export async function startReeve(env: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  mkdirSync(folder.data, { mode: 0o700 })
  const program = { dataDir: folder.data, program: BINARY, env }
  const { out, err } = await runReeve(INIT, { ...program, stdin: OWNER.password })
  if (err) throw new Error(err)
  const { workspaceId, apiKey: key } = JSON.parse(out) as { workspaceId: string; apiKey: string }
  let server: RunningServer | null = await startServer(program)
  const { url } = server

  /** Changes a setting in the portal, as the owner. */
  async function changeInPortal(path: string, fields: object): Promise<void> {
    const send = (method: string, to: string, body: object, headers: object = {}) =>
      fetch(`${url}/portal/api/${to}`, {
        method,
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const session = readSessionToken(await send('POST', 'sign-in', OWNER))
    const response = await send(
      'PATCH',
      path,
      { workspaceId, ...fields },
      { cookie: `reeve_session=${session}` },
    )
    if (!response.ok) throw new Error(await response.text())
  }

  return {
    folder,
    changeInPortal,
    url,
    key,
    workspaceId,
    /** The options of a client. */
    options: { url, key, workspaceId },
    async kill(): Promise<void> {
      server?.signal('SIGKILL')
      await server?.exited
      server = null
    },
    /** Starts it again at the same URL. @param more settings that replace those of the first start */
    async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
      server = await startServer({
        ...program,
        env: { ...env, ...more },
        flags: ['--port', new URL(url).port],
      })
    },
    runCommand: (...args: string[]) => runReeve(args, program),
    async stop(): Promise<void> {
      await server?.stop()
      folder.remove()
    },
  }
}

export type ReeveServer = Awaited<ReturnType<typeof startReeve>>
