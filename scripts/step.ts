import { basename, delimiter, dirname, join } from 'node:path'

/** The root of the repository. */
export const ROOT = join(import.meta.dir, '..')

/** The Bun that runs this script, which may not be on the PATH. */
export const BUN = process.execPath

/** How often a long step reports that it is still running when the output is not a terminal. */
const HEARTBEAT_MS = 60_000
/** How long to wait for remaining output after a step has exited. */
const OUTPUT_DRAIN_MS = 2000
/** How many of the last output lines to show for a failed step, by default. */
const TAIL_LINES = 60

/** Ctrl-C, a request to stop, and a terminal that closes. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const isTerminal = process.stdout.isTTY === true

/** The environment of every step: this Bun comes first on the PATH, and telemetry of the tools is off. */
export function stepEnvironment(inheritSettings: boolean): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => inheritSettings || !name.toUpperCase().startsWith('REEVE_'),
  )
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(BUN), process.env.PATH ?? ''].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  }
}

export interface Step {
  /** What the step does, shown after "…". */
  readonly title: string
  readonly command: readonly string[]
  readonly cwd?: string
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** What to do if it fails. */
  readonly advice: string
  /** How many of the last output lines to show if it fails. */
  readonly tailLines?: number
}

export interface StepResult {
  readonly ok: boolean
  readonly output: string
}

const formatElapsed = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

/** Shows progress: a running timer on a terminal, otherwise a line per interval. @returns a function that stops it */
function showProgress(title: string, startedAt: number): () => void {
  if (isTerminal) {
    const show = () => process.stdout.write(`\r\x1b[K… ${title}  ${formatElapsed(startedAt)}`)
    show()
    const timer = setInterval(show, 200)
    return () => {
      clearInterval(timer)
      process.stdout.write('\r\x1b[K')
    }
  }
  console.log(`… ${title}`)
  const timer = setInterval(
    () => console.log(`… ${title}: still running after ${formatElapsed(startedAt)}`),
    HEARTBEAT_MS,
  )
  return () => clearInterval(timer)
}

/** Runs a step and prints its result and duration; if it fails, also the end of its output. */
export async function run(step: Step): Promise<StepResult> {
  const startedAt = performance.now()
  const stopProgress = showProgress(step.title, startedAt)
  const { ok, output } = await execute(step)
  stopProgress()
  console.log(`${ok ? '✓' : '✗'} ${step.title}  ${formatElapsed(startedAt)}`)
  if (!ok) {
    const lines = output.trimEnd().split('\n')
    console.log(lines.slice(-(step.tailLines ?? TAIL_LINES)).join('\n'))
    console.log(`→ ${step.advice}`)
  }
  return { ok, output }
}

async function execute({ command, cwd = ROOT, env }: Step): Promise<StepResult> {
  let child: Bun.ReadableSubprocess | undefined
  // Before the child starts, so that a signal never ends only this process.
  // Listeners run between tasks: by then the child has been started, or could not be.
  const stopPassingOn = passSignalsOn(() => child?.pid)
  try {
    child = Bun.spawn([...command], {
      cwd,
      env: { ...stepEnvironment(false), NO_COLOR: '1', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      // Leads a process group, so that a signal ends what it has started, too.
      detached: true,
    })
    // Interleaves both streams in the order of arrival, as on a terminal.
    const chunks: string[] = []
    const outputRead = Promise.all(
      [child.stdout, child.stderr].map((stream) => collectOutput(stream, chunks)),
    )
    await child.exited
    // A child process that is still running can keep the streams open after the step has exited.
    await Promise.race([outputRead, Bun.sleep(OUTPUT_DRAIN_MS)])
    return { ok: child.exitCode === 0, output: chunks.join('') }
  } catch (error) {
    return { ok: false, output: `${basename(command[0] ?? '')} could not be started: ${String(error)}` }
  } finally {
    stopPassingOn()
  }
}

/** Ends a process group together with this process, when that is stopped by Ctrl-C, a signal or a terminal that closes. @returns stops that */
function passSignalsOn(getGroup: () => number | undefined): () => void {
  const stop = (signal: NodeJS.Signals) => {
    const group = getGroup()
    if (group !== undefined) process.kill(-group, signal)
    process.exit(1)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
  }
}

async function collectOutput(stream: ReadableStream<Uint8Array>, chunks: string[]): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }))
}

/** The first step of `up` and `verify`. */
export const install: Step = {
  title: 'Install dependencies from the lockfile',
  command: [BUN, 'install', '--frozen-lockfile'],
  advice: 'Check that the npm registry can be reached (set HTTPS_PROXY if you use a proxy), and try again.',
}

/** What `release` and its tests compile for. Not part of the workspaces: nothing else needs 600 MB of runtimes. */
export const installRuntimes: Step = {
  title: 'Install the Bun runtimes of all platforms',
  command: [BUN, 'install', '--frozen-lockfile', '--os=*', '--cpu=*'],
  cwd: join(ROOT, 'release'),
  advice: install.advice,
}

export const build: Step = {
  title: 'Build the single binary dist/reeve',
  command: [BUN, 'run', 'build'],
  advice: 'The last lines above show the cause. Run `bun run build` to repeat only this step.',
}

/** Exits unless this is the version of Bun that package.json requires. */
export async function assertBunVersion(): Promise<void> {
  const { packageManager } = (await Bun.file(join(ROOT, 'package.json')).json()) as { packageManager: string }
  const requiredVersion = packageManager.replace(/^bun@/, '')
  if (Bun.semver.satisfies(Bun.version, `~${requiredVersion}`)) return
  console.error(
    `This is Bun ${Bun.version}, but Reeve requires ${requiredVersion}. Run \`npx bun@${requiredVersion} run …\` instead.`,
  )
  process.exit(1)
}
