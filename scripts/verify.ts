import { join } from 'node:path'
import { assertBunVersion, BUN, build, install, installRuntimes, ROOT, run, type Step } from './step.ts'
import { ensureTools } from './system-tools.ts'
import { runContractOnPostgres, runLatencyTests, runTests, type TestCounts } from './tests.ts'

const checks: readonly Step[] = [
  installRuntimes,
  {
    title: 'Formatting and lint',
    command: [BUN, 'run', 'lint'],
    advice: 'Run `bun run format` to fix what can be fixed automatically.',
  },
  {
    title: 'Type check of every package',
    command: [BUN, 'run', 'typecheck'],
    advice: 'Run `bun run typecheck` to repeat only this step.',
  },
  {
    title: 'Check for duplicate code',
    command: [join(ROOT, 'node_modules/.bin/jscpd'), '--no-colors'],
    advice: 'Move the duplicate code to one place. .jscpd.json configures what counts as a duplicate.',
  },
  {
    title: 'Standard terms',
    command: [BUN, 'run', 'wording'],
    advice: 'Use the term after the arrow. Run `bun run wording` to repeat only this step.',
  },
  build,
]

/** Installs, checks, builds and tests. A failed step counts as one failed test, so that the result covers everything. */
async function verify(): Promise<TestCounts> {
  await assertBunVersion()
  const startedAt = performance.now()
  console.log('Reeve: installing, checking, building and running every test. This takes several minutes.')
  const total = { passed: 0, failed: 0 }
  const add = ({ passed, failed }: TestCounts) => {
    total.passed += passed
    total.failed += failed
  }
  const countStep = (ok: boolean) => add({ passed: 0, failed: ok ? 0 : 1 })
  const installed = (await run(install)).ok
  countStep(installed)
  if (!installed) return total
  for (const step of checks) countStep((await run(step)).ok)
  countStep(await ensureTools())
  add(await runTests())
  add(await runContractOnPostgres())
  add(await runLatencyTests())
  console.log(`\nCompleted in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  return total
}

const { passed, failed } = await verify()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
