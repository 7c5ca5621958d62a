import { expect, test } from 'bun:test'
import { backup } from './backup.ts'

test('backups under load are consistent, and a kill during a backup or restore leaves the old or the new database', async () => {
  const plan = { short: true, seed: 20_260_301, cycles: null, cuts: null }
  const { failures, stats } = await backup.run(plan, () => {})
  expect(failures).toEqual([])
  expect(stats).toMatchObject({ backups: 3, inconsistent: 0 })
}, 120_000)
