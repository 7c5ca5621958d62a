import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { drawsArbitrary } from './choices.ts'
import { compareEngines, formatOperationName, listDocumentedOperations } from './compare.ts'
import { openEnginePair } from './engine-pair.ts'
import { createFixture } from './fixture.ts'
import { createGenerator } from './generator.ts'

/** A short run of `bun run test:engines`, always from the same seed. */
test('both engines return the same responses to any sequence of requests', async () => {
  const { statusCounts, failures } = await compareEngines({ seed: 4, operations: 600, shrinkMs: 20_000 })
  expect(failures).toEqual([])
  const succeeded = [...statusCounts.values()].map((statuses) => statuses.get(200) ?? 0)
  expect(succeeded.reduce((sum, count) => sum + count)).toBeGreaterThan(150)
}, 180_000)

test('random requests include every documented operation', async () => {
  const pair = await openEnginePair()
  try {
    const generator = createGenerator(await createFixture(pair, 0))
    const draws = fc.sample(drawsArbitrary, { seed: 4, numRuns: 10_000 })
    const generated = new Set(draws.map((values) => formatOperationName(generator.next(values, pair.now()))))
    const documented = await listDocumentedOperations(pair)
    expect(documented.filter((name) => !generated.has(name))).toEqual([])
  } finally {
    await pair.close()
  }
}, 60_000)
