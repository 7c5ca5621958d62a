import { join } from 'node:path'

/** The top of the tree. */
export const ROOT = join(import.meta.dir, '../..')
/** The program from source, and as the single file that a build makes. */
export const SOURCE = [process.execPath, join(ROOT, 'apps/api/src/main.ts')] as const
export const BINARY = [join(ROOT, 'dist/reeve')] as const

export interface ProgramOptions {
  readonly dataDir: string
  /** Variables of our own; none are taken over from whoever runs the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** From source by default. */
  readonly program?: readonly string[]
  readonly cwd?: string
}

/** The environment of a program under test. */
function environmentOf({ dataDir, env }: ProgramOptions): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('REEVE_'))
  return { ...Object.fromEntries(inherited), REEVE_DATA_DIR: dataDir, ...env }
}

export interface Ended {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs a command of the program to its end. */
export async function reeve(
  args: readonly string[],
  options: ProgramOptions & { readonly stdin?: string },
): Promise<Ended> {
  const child = Bun.spawn([...(options.program ?? SOURCE), ...args], {
    cwd: options.cwd ?? ROOT,
    env: environmentOf(options),
    stdin: new Blob([options.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, out, err }
}

/** A line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string }

/** A server in a process of its own. */
export interface Running {
  readonly url: string
  readonly pid: number
  /** Every line of its log so far. */
  readonly log: readonly LogLine[]
  /** The first line of its log that fits, waited for; fails where the server ends without one. */
  readonly logged: (fits: (line: LogLine) => boolean) => Promise<LogLine>
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with the exit code. */
  readonly exited: Promise<number>
  /** Tells it to stop. @returns the exit code */
  readonly stop: () => Promise<number>
}

/** Starts a server on a free port of 127.0.0.1, and waits until it says where it answers. */
export async function serve(
  options: ProgramOptions & { readonly flags?: readonly string[] },
): Promise<Running> {
  const child = Bun.spawn(
    [...(options.program ?? SOURCE), 'serve', '--port', '0', ...(options.flags ?? [])],
    {
      cwd: options.cwd ?? ROOT,
      env: environmentOf(options),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const complaints = new Response(child.stderr).text()
  const log: LogLine[] = []
  const waiting = new Set<() => void>()
  let hasEnded = false

  const told = () => {
    for (const look of waiting) look()
  }
  const reading = (async () => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const piece of child.stdout) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      log.push(...lines.map((line) => JSON.parse(line) as LogLine))
      told()
    }
    hasEnded = true
    told()
  })()

  const logged = (fits: (line: LogLine) => boolean): Promise<LogLine> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = log.find(fits)
        if (!found && !hasEnded) return
        waiting.delete(look)
        if (found) resolve(found)
        else complaints.then((text) => reject(new Error(`the server ended without saying so: ${text}`)))
      }
      waiting.add(look)
      look()
    })

  const exited = Promise.all([child.exited, reading]).then(([code]) => code)
  const { url } = await logged((line) => typeof line.url === 'string')
  return {
    url: String(url),
    pid: child.pid,
    log,
    logged,
    signal: (name) => child.kill(name),
    exited,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}
