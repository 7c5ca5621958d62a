import { openInstance } from '../support/instance.ts'
import { properties } from './properties.ts'

/** `bun run test:rules`: the long form of short.test.ts. */

const parseNumberFlag = (flag: string): number | null => {
  const index = process.argv.indexOf(flag)
  return index < 0 ? null : Number(process.argv[index + 1])
}
const seed = parseNumberFlag('--seed') ?? Date.now() % 2 ** 31
const numRuns = parseNumberFlag('--runs') ?? 300
console.log(`${numRuns} runs of each property from seed ${seed}; repeat with \`--seed ${seed}\`.`)
let hasPassed = true
for (const { property } of properties) {
  const startedAt = performance.now()
  const instance = await openInstance()
  let failure: unknown = null
  const counts = await property.check(instance, { numRuns, seed }).catch((error: unknown) => {
    failure = error
    return {}
  })
  failure ??= instance.unexpectedErrors[0] ?? null
  await instance.close()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const summary = Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
  console.log(
    `${failure === null ? '✓' : '✗'} ${property.name}  (${seconds} s)\n  ${failure ?? summary.join('  ')}`,
  )
  if (failure !== null) hasPassed = false
}
process.exit(hasPassed ? 0 : 1)
