import { backup } from './backup.ts'
import { kill } from './kill.ts'
import { migration } from './migration.ts'
import { powerCut } from './power-cut.ts'
import { replicas } from './replicas.ts'
import { stop } from './stop.ts'
import { storage } from './storage.ts'
import type { Fault, Plan } from './support/fault.ts'

/** Every promise of durability and its test, in the order of the table. */
const faults: readonly Fault[] = [kill, powerCut, storage, stop, backup, migration, replicas]

const numberOf = (flag: string): number | null => {
  const at = process.argv.indexOf(flag)
  return at < 0 ? null : Number(process.argv[at + 1])
}
const short = process.argv.includes('--short')
const plan: Plan = {
  short,
  seed: numberOf('--seed') ?? (short ? 20_260_301 : Date.now() % 2 ** 31),
  cycles: numberOf('--cycles'),
  cuts: numberOf('--cuts'),
}
const only = process.argv.filter((argument) => /^D\d$/.test(argument))

console.log(`Seed ${plan.seed}; \`--seed ${plan.seed}\` repeats this run's choices.`)
let isKept = true
for (const { promise, title, run } of faults) {
  if (only.length > 0 && !only.includes(promise)) continue
  console.log(`\n${promise}  ${title}`)
  const since = performance.now()
  const { figures, broken } = await run(plan, (line) => console.log(`… ${line}`))
  const told = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  console.log(
    `${broken.length === 0 ? '✓' : '✗'} ${told.join(', ')}  (${Math.round((performance.now() - since) / 1000)} s)`,
  )
  for (const line of broken) console.log(`  ${line}`)
  if (broken.length > 0) isKept = false
}
process.exit(isKept ? 0 : 1)
