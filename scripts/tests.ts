import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUN, ROOT, run, type Step, type StepResult } from './step.ts'

/** The number of passed and failed tests. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

/** Ends a hanging test, with a margin for slow or busy machines. */
const TIMEOUT_MS = 60_000
/**
 * Number of test files that run in parallel: one more than processors, because many tests wait for a timeout, a disk or a process.
 * Each worker has its own browsers and servers.
 */
const WORKERS = Math.min(4, availableParallelism() + 1)

/** Measures what other tests would delay, and so runs by itself. */
const LATENCY_TESTS = 'test/load/latency.test.ts'

const singleTestCommand = [
  ...[BUN, 'test', '--only-failures', `--timeout=${TIMEOUT_MS}`],
  '--preload=./test/support/own-memory.ts',
]
const testCommand = [
  ...[...singleTestCommand, `--parallel=${WORKERS}`, '--no-isolate'],
  `--path-ignore-patterns=${LATENCY_TESTS}`,
]

const testEnvironment = {
  /** The programs that tests start are the build, which starts several times faster than the source. */
  TEST_PROGRAM: 'binary',
  /**
   * Tests open and close hundreds of instances in their process. Without returning the memory of each to the system, contract tests take
   * a quarter less processor time. The programs that tests start do not get this setting.
   */
  MIMALLOC_PURGE_DELAY: '-1',
}

/** Runs all tests, those of every package and app at the same time, because some wait most of the time. */
export const runTests = (): Promise<TestCounts> =>
  runAndCount({
    title: 'Tests',
    command: testCommand,
    cwd: ROOT,
    env: testEnvironment,
    advice: 'Run `bun test <part of a path>` to repeat some of them.',
  })

/** Runs the contract tests and the rules again on PostgreSQL, on a server that is started for them. */
export const runContractOnPostgres = (): Promise<TestCounts> =>
  runAndCount({
    title: 'Tests of test/contract and test/rules on PostgreSQL',
    command: [...testCommand, 'test/contract/', 'test/rules/'],
    cwd: ROOT,
    env: { ...testEnvironment, REEVE_TEST_ENGINE: 'postgres' },
    advice:
      'Run `REEVE_TEST_ENGINE=postgres bun test test/contract/<part of a path>` or `… test/rules/` to repeat some of them.',
  })

/** Measures the latency under load while nothing else runs. */
export const runLatencyTests = (): Promise<TestCounts> =>
  runAndCount({
    title: `Tests of ${LATENCY_TESTS}, without other tests`,
    command: [...singleTestCommand, LATENCY_TESTS],
    cwd: ROOT,
    env: testEnvironment,
    advice: `Run \`bun test ${LATENCY_TESTS}\` without other work on the machine to repeat them.`,
  })

const MEMORY_FOLDER = '/dev/shm'
/** Free memory, in bytes, beside what the files of the tests need: that of the tests and of the programs that they start. */
const MIN_FREE_BYTES = 12_000_000_000

/** Whether the folder is in memory, has room, and programs in it may be started. */
function canUseMemoryFolder(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const options = mounts.map((line) => line.split(' ')).find(([, path]) => path === MEMORY_FOLDER)?.[3]
  if (!options?.split(',').includes('rw') || options.includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES
}

/** Where tests create files: in memory if possible, because they create thousands of small databases, some of 600 files each. */
const chooseTemporaryFolder = (): string =>
  platform() === 'linux' && canUseMemoryFolder() ? MEMORY_FOLDER : tmpdir()

/** Enough for the errors of dozens of tests: those that pass print little. */
const TAIL_LINES = 1000

async function runAndCount(step: Step): Promise<TestCounts> {
  // What the programs of the tests leave behind, such as the profiles of browsers, is removed with it.
  const temporary = mkdtempSync(join(chooseTemporaryFolder(), 'reeve-tests-'))
  // PostgreSQL runs as another user.
  chmodSync(temporary, 0o755)
  const result = await run({ ...step, env: { ...step.env, TMPDIR: temporary }, tailLines: TAIL_LINES })
  rmSync(temporary, { recursive: true, force: true })
  const { passed, failed } = parseCounts(result)
  // A list of all of them, because the output above can be long.
  for (const name of parseFailures(result)) console.log(`  ✗ ${name}`)
  console.log(`  ${passed} passed, ${failed} failed`)
  return { passed, failed: result.ok ? failed : Math.max(1, failed) }
}

/** The names of the tests that failed. */
const parseFailures = ({ output }: StepResult): string[] =>
  [...output.matchAll(/^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/gm)].map(([, name]) => String(name))

/** Reads the summary at the end of the output. */
function parseCounts({ output }: StepResult): TestCounts {
  const lastCount = (label: string): number =>
    Number([...output.matchAll(RegExp(`^ *(\\d+) ${label}$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { passed: lastCount('pass'), failed: lastCount('fail') }
}
