import { compareEngines } from './compare.ts'

const numberOf = (flag: string): number | null => {
  const at = process.argv.indexOf(flag)
  return at < 0 ? null : Number(process.argv[at + 1])
}
const seed = numberOf('--seed') ?? Date.now() % 2 ** 31
const operations = numberOf('--operations') ?? 20_000

console.log(
  `${operations} operations on SQLite and PostgreSQL from seed ${seed}; \`--seed ${seed}\` repeats them.`,
)
const since = performance.now()
const { spread, unmet, broken } = await compareEngines(seed, operations, (line) => console.log(`… ${line}`))

for (const [name, statuses] of [...spread].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  const told = [...statuses].toSorted(([one], [other]) => one - other)
  console.log(`${name.padEnd(44)} ${told.map(([status, count]) => `${status}: ${count}`).join('  ')}`)
}
for (const line of [...unmet, ...broken]) console.log(`✗ ${line}`)
const isKept = unmet.length === 0 && broken.length === 0
const seconds = Math.round((performance.now() - since) / 1000)
console.log(isKept ? `✓ every answer is the same  (${seconds} s)` : `✗ not the same  (${seconds} s)`)
process.exit(isKept ? 0 : 1)
