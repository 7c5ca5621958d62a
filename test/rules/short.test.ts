import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../support/instance.ts'
import { properties } from './properties.ts'

/** Short runs of `bun run test:rules`, always from the same seed; `verify` runs them on both engines. */

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

for (const { property, shortRuns } of properties)
  test(property.name, async () => {
    const counts = await property.check(instance, { numRuns: shortRuns, seed: 3 })
    for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true])
    expect(instance.unexpectedErrors).toEqual([])
  }, 120_000)
