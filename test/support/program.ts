import { join } from 'node:path'
import { SECRET_KEY } from './secret-key.ts'

/** The root of the repository. */
export const ROOT = join(import.meta.dir, '../..')
/** The program from source, and as a single-file build. */
export const SOURCE = [process.execPath, join(ROOT, 'apps/api/src/main.ts')] as const
export const BINARY = [join(ROOT, 'dist/reeve')] as const
/** What tests start unless they choose: from source, or with `TEST_PROGRAM=binary` the build, which starts faster. */
export const PROGRAM: readonly string[] = process.env.TEST_PROGRAM === 'binary' ? BINARY : SOURCE

export interface ProgramOptions {
  readonly dataDir: string
  /** Environment variables; none are inherited. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: `PROGRAM`. */
  readonly program?: readonly string[]
  readonly cwd?: string
}

/** The environment of the program under test: the secret key of the tests is set, unless `env` sets another one or an empty one. */
function createEnvironment({ dataDir, env }: ProgramOptions): Record<string, string | undefined> {
  const inheritedEnv = Object.entries(process.env).filter(([name]) => !name.startsWith('REEVE_'))
  return {
    ...Object.fromEntries(inheritedEnv),
    REEVE_DATA_DIR: dataDir,
    ...(env?.REEVE_SECRET_KEY_FILE === undefined && { REEVE_SECRET_KEY: SECRET_KEY }),
    ...env,
  }
}

export interface CommandResult {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs a command until it exits. */
export async function runReeve(
  args: readonly string[],
  options: ProgramOptions & { readonly stdin?: string },
): Promise<CommandResult> {
  const child = Bun.spawn([...(options.program ?? PROGRAM), ...args], {
    cwd: options.cwd ?? ROOT,
    env: createEnvironment(options),
    stdin: new Blob([options.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return readResult(child)
}

/** Waits until a program has exited. */
export async function readResult(
  child: Bun.Subprocess<'ignore' | Blob, 'pipe', 'pipe'>,
): Promise<CommandResult> {
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, out, err }
}

/** A line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string }

/** A server in its own process. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  /** Every log line so far. */
  readonly log: readonly LogLine[]
  /** Waits for the first log line that matches. @throws if the server exits without one */
  readonly waitForLog: (matches: (line: LogLine) => boolean) => Promise<LogLine>
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with the exit code. */
  readonly exited: Promise<number>
  /** Stops the server with SIGTERM. @returns the exit code */
  readonly stop: () => Promise<number>
}

/** Starts a server on a free port of 127.0.0.1 and waits until it logs its URL. */
export const startServer = (
  options: ProgramOptions & { readonly flags?: readonly string[] },
): Promise<RunningServer> =>
  startServerCommand(
    [...(options.program ?? PROGRAM), 'serve', '--port', '0', ...(options.flags ?? [])],
    options.cwd ?? ROOT,
    createEnvironment(options),
  )

/** Starts a server with a command as it is and waits until it logs its URL. */
export async function startServerCommand(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningServer> {
  const child = Bun.spawn([...command], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const stderrText = new Response(child.stderr).text()
  const log: LogLine[] = []
  const waiters = new Set<() => void>()
  let hasExited = false

  const checkWaiters = () => {
    for (const check of waiters) check()
  }
  const readStdout = (async () => {
    const decoder = new TextDecoder()
    let buffer = ''
    for await (const chunk of child.stdout) {
      const lines = (buffer + decoder.decode(chunk, { stream: true })).split('\n')
      buffer = lines.pop() ?? ''
      log.push(...lines.map((line) => JSON.parse(line) as LogLine))
      checkWaiters()
    }
    hasExited = true
    checkWaiters()
  })()

  const waitForLog = (matches: (line: LogLine) => boolean): Promise<LogLine> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const line = log.find(matches)
        if (!line && !hasExited) return
        waiters.delete(check)
        if (line) resolve(line)
        else
          stderrText.then((text) =>
            reject(new Error(`the server exited before it logged the expected line: ${text}`)),
          )
      }
      waiters.add(check)
      check()
    })

  const exited = Promise.all([child.exited, readStdout]).then(([code]) => code)
  const { url } = await waitForLog((line) => typeof line.url === 'string')
  return {
    url: String(url),
    pid: child.pid,
    log,
    waitForLog,
    signal: (name) => child.kill(name),
    exited,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}
