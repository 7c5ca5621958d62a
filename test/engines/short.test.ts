import { expect, test } from 'bun:test'
import { compareEngines } from './compare.ts'

/** A beginning of what `bun run test:engines` does, always with the same choices. */
test('whatever is asked, in whatever order, both engines answer the same', async () => {
  const { statusCounts, failures } = await compareEngines(4, 600, () => {})
  expect(failures).toEqual([])
  const succeeded = [...statusCounts.values()].map((statuses) => statuses.get(200) ?? 0)
  expect(succeeded.reduce((sum, count) => sum + count)).toBeGreaterThan(150)
}, 60_000)
