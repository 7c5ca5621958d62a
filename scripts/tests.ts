import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { BUN, ROOT, run, type Step, type StepResult } from './step.ts'

/** How many tests passed and failed. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
}

const manifests = ['packages/*/package.json', 'apps/*/package.json', 'test/package.json']
const tests = new Bun.Glob('**/*.test.{ts,tsx}')

/** Every workspace that has tests; `test`, which crosses all others, comes last. */
export function workspacesWithTests(): string[] {
  const folders = manifests
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort())
    .map((manifest) => dirname(manifest))
  return folders.filter((folder) => !tests.scanSync(join(ROOT, folder)).next().done)
}

/** A test that hangs ends here; a machine that is slow or busy does not. */
const TIMEOUT_MS = 60_000
/** How many files run at once, each worker with browsers and servers of its own. */
const WORKERS = Math.min(4, availableParallelism())

const testCommand = [
  ...[BUN, 'test', '--only-failures', `--timeout=${TIMEOUT_MS}`],
  ...[`--parallel=${WORKERS}`, '--no-isolate'],
]

/** Runs the tests of a workspace. A run that breaks off counts as one that failed. */
export const runTests = (folder: string): Promise<TestCounts> =>
  runAndCount({
    title: `Tests of ${folder}`,
    command: testCommand,
    cwd: join(ROOT, folder),
    advice: `\`cd ${folder} && bun test <part of a file's name>\` repeats some of them.`,
  })

/** Runs what is promised of the interface once more, on PostgreSQL: a server of its own, which ends with it. */
export const runContractOnPostgres = (): Promise<TestCounts> =>
  runAndCount({
    title: 'Tests of test/contract on PostgreSQL',
    command: [...testCommand, 'contract'],
    cwd: join(ROOT, 'test'),
    env: { REEVE_TEST_ENGINE: 'postgres' },
    advice:
      '`cd test && REEVE_TEST_ENGINE=postgres bun test contract/<part of a name>` repeats some of them.',
  })

async function runAndCount(step: Step): Promise<TestCounts> {
  const result = await run(step)
  const { passed, failed } = parseCounts(result)
  // The end of a long run shows the last failures; which ones there were is said of all of them.
  for (const name of parseFailures(result)) console.log(`  ✗ ${name}`)
  console.log(`  ${passed} passed, ${failed} failed`)
  return { passed, failed: result.ok ? failed : Math.max(1, failed) }
}

/** The names of the tests that failed. */
const parseFailures = ({ output }: StepResult): string[] =>
  [...output.matchAll(/^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/gm)].map(([, name]) => String(name))

/** Reads the summary that a run ends with. */
function parseCounts({ output }: StepResult): TestCounts {
  const lastCount = (label: string): number =>
    Number([...output.matchAll(RegExp(`^ *(\\d+) ${label}$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { passed: lastCount('pass'), failed: lastCount('fail') }
}
