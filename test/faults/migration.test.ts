import { expect, test } from 'bun:test'
import { migration } from './migration.ts'

test('a killed migration leaves a complete version, and unsuitable folders are rejected without a write', async () => {
  const plan = { short: true, seed: 20_260_301, cycles: null, cuts: null }
  const { failures } = await migration.run(plan, () => {})
  expect(failures).toEqual([])
}, 120_000)
