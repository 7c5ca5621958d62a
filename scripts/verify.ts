import { join } from 'node:path'
import { assertBunVersion, BUN, build, install, ROOT, run, type Step } from './step.ts'
import { ensureTools } from './system-tools.ts'
import { runContractOnPostgres, runTests, type TestCounts, workspacesWithTests } from './tests.ts'

const checks: readonly Step[] = [
  {
    title: 'Formatting and lint',
    command: [BUN, 'run', 'lint'],
    advice: '`bun run format` puts right what can be put right by itself.',
  },
  {
    title: 'Types of every package',
    command: [BUN, 'run', 'typecheck'],
    advice: '`bun run typecheck` repeats this step alone.',
  },
  {
    title: 'No copied code',
    command: [join(ROOT, 'node_modules/.bin/jscpd'), '--no-colors'],
    advice: 'Give what two places share one home; .jscpd.json says what counts as a copy.',
  },
  {
    title: 'Standard terms',
    command: [BUN, 'run', 'wording'],
    advice: 'Write the term after the arrow; `bun run wording` repeats this step alone.',
  },
  build,
]

/** Installs, checks, builds and tests. A step that fails counts as one failure, so that the verdict covers all of it. */
async function verify(): Promise<TestCounts> {
  await assertBunVersion()
  const startedAt = performance.now()
  console.log('Reeve: install, check, build, and run every test. This takes some minutes.')
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
  for (const folder of workspacesWithTests()) add(await runTests(folder))
  add(await runContractOnPostgres())
  console.log(`\nAll of it took ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  return total
}

const { passed, failed } = await verify()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
