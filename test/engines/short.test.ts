import { expect, test } from 'bun:test'
import { compareEngines } from './compare.ts'

/** A short run of `bun run test:engines`, always from the same seed. */
test('both engines return the same responses to any sequence of requests', async () => {
  const { statusCounts, failures } = await compareEngines({ seed: 4, operations: 600, shrinkMs: 20_000 })
  expect(failures).toEqual([])
  const succeeded = [...statusCounts.values()].map((statuses) => statuses.get(200) ?? 0)
  expect(succeeded.reduce((sum, count) => sum + count)).toBeGreaterThan(150)
}, 60_000)
