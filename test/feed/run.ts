import { checkFeed } from './check-feed.ts'
import { openPostgresDeployment, openSqliteDeployment } from './deployment.ts'

/** `bun run test:feed`: the long form of short.test.ts. */

const parseNumberFlag = (flag: string): number | null => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? null : Number(process.argv[index + 1])
}
const seed = parseNumberFlag('--seed') ?? Date.now() % 2 ** 31
const steps = parseNumberFlag('--steps') ?? 2000
console.log(`${steps} steps on each engine from seed ${seed}; repeat with \`--seed ${seed}\`.`)
let hasPassed = true
for (const [name, open] of [
  ['SQLite', openSqliteDeployment],
  ['PostgreSQL, three processes', openPostgresDeployment],
] as const) {
  const startedAt = performance.now()
  const deployment = await open()
  const { counts, snapshots, failure } = await checkFeed(deployment, { seed, steps })
  await deployment.close()
  const summary = Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([change, times]) => `${change}: ${times}`)
  console.log(`${name}: ${summary.join('  ')}  snapshots: ${snapshots}`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(
    failure === null ? `✓ every follower was exact  (${seconds} s)` : `✗ ${failure}  (${seconds} s)`,
  )
  if (failure !== null) hasPassed = false
}
process.exit(hasPassed ? 0 : 1)
