import { expect, test } from 'bun:test'
import { compareEngines } from './compare.ts'

test('whatever is asked, in whatever order, both engines answer the same', async () => {
  const { unmet, broken } = await compareEngines(20_260_301, 1000, () => {})
  expect(broken).toEqual([])
  expect(unmet).toEqual([])
}, 60_000)
