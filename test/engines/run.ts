import { compareEngines } from './compare.ts'

const SHRINK_MS = 5 * 60_000

const parseNumberFlag = (flag: string): number | null => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? null : Number(process.argv[index + 1])
}
const seed = parseNumberFlag('--seed') ?? Date.now() % 2 ** 31
const operations = parseNumberFlag('--operations') ?? 20_000

console.log(
  `${operations} operations on SQLite and PostgreSQL from seed ${seed}; repeat with \`--seed ${seed}\`.`,
)
const startedAt = performance.now()
const { statusCounts, uncovered, failures } = await compareEngines({
  seed,
  operations,
  shrinkMs: SHRINK_MS,
  log: (line) => console.log(`… ${line}`),
})

for (const [name, statuses] of [...statusCounts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  const sortedCounts = [...statuses].toSorted(([one], [other]) => one - other)
  console.log(`${name.padEnd(44)} ${sortedCounts.map(([status, count]) => `${status}: ${count}`).join('  ')}`)
}
for (const line of [...uncovered, ...failures]) console.log(`✗ ${line}`)
const hasPassed = uncovered.length === 0 && failures.length === 0
const seconds = Math.round((performance.now() - startedAt) / 1000)
const verdict = failures.length > 0 ? '✗ the engines differ' : '✗ some operations were not covered'
console.log(`${hasPassed ? '✓ the engines return the same responses' : verdict}  (${seconds} s)`)
process.exit(hasPassed ? 0 : 1)
