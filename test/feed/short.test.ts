import { describe, expect, test } from 'bun:test'
import { checkFeed } from './check-feed.ts'
import { type Deployment, openPostgresDeployment, openSqliteDeployment } from './deployment.ts'

/** Short runs of `bun run test:feed`, always from the same seed. */
const TIMEOUT_MS = 120_000
/** Without these, a run shows little. */
const CHANGES = [
  'kill',
  'not acknowledged at a kill',
  'restore',
  'roll-back',
  'expiries that a follower applied',
]

async function expectExactFollowers(open: () => Promise<Deployment>) {
  const deployment = await open()
  try {
    const { counts, failure } = await checkFeed(deployment, { seed: 2, steps: 48, mustHappen: CHANGES })
    expect(failure).toBeNull()
    for (const change of CHANGES) expect(counts[change] ?? 0, change).toBeGreaterThan(0)
  } finally {
    await deployment.close()
  }
}

describe('a follower has exactly the sanctions in force after random changes, kills, restores and roll-backs', () => {
  test('of one process', () => expectExactFollowers(openSqliteDeployment), TIMEOUT_MS)
  test('of three processes with one database', () => expectExactFollowers(openPostgresDeployment), TIMEOUT_MS)
})
