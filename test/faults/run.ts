import { backup } from './backup.ts'
import { batches } from './batches.ts'
import { commandPowerCuts } from './command-power-cuts.ts'
import { creation } from './creation.ts'
import { jobs } from './jobs.ts'
import { kill } from './kill.ts'
import { migration } from './migration.ts'
import { powerCut } from './power-cut.ts'
import { replicas } from './replicas.ts'
import { stop } from './stop.ts'
import { storage } from './storage.ts'
import type { FaultTest, Plan } from './support/fault.ts'

/** Every durability promise and its test, in the order of the table in docs/performance.md. */
const faultTests: readonly FaultTest[] = [
  kill,
  jobs,
  batches,
  powerCut,
  storage,
  stop,
  backup,
  migration,
  replicas,
  creation,
  commandPowerCuts,
]

const parseNumberFlag = (flag: string): number | null => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? null : Number(process.argv[index + 1])
}
const short = process.argv.includes('--short')
const plan: Plan = {
  short,
  seed: parseNumberFlag('--seed') ?? (short ? 20_260_301 : Date.now() % 2 ** 31),
  cycles: parseNumberFlag('--cycles'),
  cuts: parseNumberFlag('--cuts'),
}
const selected = process.argv.filter((argument) => /^D\d$/.test(argument))

console.log(`Seed ${plan.seed}; \`--seed ${plan.seed}\` repeats this run's choices.`)
let hasPassed = true
for (const { promise, title, run } of faultTests) {
  if (selected.length > 0 && !selected.includes(promise)) continue
  console.log(`\n${promise}  ${title}`)
  const startedAt = performance.now()
  const { stats, failures } = await run(plan, (line) => console.log(`… ${line}`))
  const summary = Object.entries(stats).map(([name, value]) => `${name} ${value}`)
  console.log(
    `${failures.length === 0 ? '✓' : '✗'} ${summary.join(', ')}  (${Math.round((performance.now() - startedAt) / 1000)} s)`,
  )
  for (const line of failures) console.log(`  ${line}`)
  if (failures.length > 0) hasPassed = false
}
process.exit(hasPassed ? 0 : 1)
