import { basename, delimiter, dirname, join } from 'node:path'

/** The top of the tree. */
export const ROOT = join(import.meta.dir, '..')

/** This very Bun, wherever it came from: it need not be on the PATH. */
export const BUN = process.execPath

/** How often a step that runs long says that it still does, where there is no terminal to count on. */
const HEARTBEAT_MS = 60_000
/** How long the last words of a step that has ended are waited for. */
const OUTPUT_DRAIN_MS = 2000
/** How many of its last lines a failed step shows. */
const TAIL_LINES = 60

const isTerminal = process.stdout.isTTY === true

/** The environment of every step: our Bun is the one that tools find, and none of them sends figures about us anywhere. */
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
  /** What is being done, in words that follow "…". */
  readonly title: string
  readonly command: readonly string[]
  readonly cwd?: string
  /** Variables of its own, beside those of every step. */
  readonly env?: Readonly<Record<string, string>>
  /** What to do where it fails. */
  readonly advice: string
}

export interface StepResult {
  readonly ok: boolean
  readonly output: string
}

const formatElapsed = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

/** Shows that something goes on: a running clock on a terminal, else a line now and then. @returns how to end it */
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
    () => console.log(`… ${title}: still at it after ${formatElapsed(startedAt)}`),
    HEARTBEAT_MS,
  )
  return () => clearInterval(timer)
}

/** Runs one step to its end, and says how it went and how long it took; where it fails, the end of what it said. */
export async function run(step: Step): Promise<StepResult> {
  const startedAt = performance.now()
  const stopProgress = showProgress(step.title, startedAt)
  const { ok, output } = await execute(step)
  stopProgress()
  console.log(`${ok ? '✓' : '✗'} ${step.title}  ${formatElapsed(startedAt)}`)
  if (!ok) {
    const lines = output.trimEnd().split('\n')
    console.log(lines.slice(-TAIL_LINES).join('\n'))
    console.log(`→ ${step.advice}`)
  }
  return { ok, output }
}

async function execute({ command, cwd = ROOT, env }: Step): Promise<StepResult> {
  try {
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...stepEnvironment(false), NO_COLOR: '1', ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    // Both streams in the order in which they came, as a terminal would show them.
    const chunks: string[] = []
    const outputRead = Promise.all(
      [child.stdout, child.stderr].map((stream) => collectOutput(stream, chunks)),
    )
    await child.exited
    // A process that the step left behind may hold the streams open: the step has ended all the same.
    await Promise.race([outputRead, Bun.sleep(OUTPUT_DRAIN_MS)])
    return { ok: child.exitCode === 0, output: chunks.join('') }
  } catch (error) {
    return { ok: false, output: `${basename(command[0] ?? '')} could not be started: ${String(error)}` }
  }
}

async function collectOutput(stream: ReadableStream<Uint8Array>, chunks: string[]): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }))
}

/** What `up` and `verify` begin with. */
export const install: Step = {
  title: 'Install what the lockfile names',
  command: [BUN, 'install', '--frozen-lockfile'],
  advice:
    'Packages come from the npm registry: look that it can be reached (a proxy goes into HTTPS_PROXY), and try again.',
}

export const build: Step = {
  title: 'Build the single binary dist/reeve',
  command: [BUN, 'run', 'build'],
  advice: 'The last lines above name the file; `bun run build` repeats this step alone.',
}

/** Refuses another Bun than the one that the tree is written for. */
export async function assertBunVersion(): Promise<void> {
  const { packageManager } = (await Bun.file(join(ROOT, 'package.json')).json()) as { packageManager: string }
  const requiredVersion = packageManager.replace(/^bun@/, '')
  if (Bun.semver.satisfies(Bun.version, `~${requiredVersion}`)) return
  console.error(
    `This is Bun ${Bun.version}, and Reeve needs ${requiredVersion}: write \`npx bun@${requiredVersion} run …\` instead.`,
  )
  process.exit(1)
}
