import { expect, test } from 'bun:test'
import { migration } from './migration.ts'

test('a killed migration leaves the old or the new, and what does not fit is refused with nothing written', async () => {
  const plan = { short: true, seed: 20_260_301, cycles: null, cuts: null }
  const { failures } = await migration.run(plan, () => {})
  expect(failures).toEqual([])
}, 120_000)
