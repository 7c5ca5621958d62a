import { expect, test } from 'bun:test'
import { emptyRecord } from '../src/imports/formats/format.ts'
import { createRobloxLog, type RobloxChange } from '../src/imports/formats/roblox-log.ts'

test('a log has no more changes than memory should hold', () => {
  const log = createRobloxLog()
  const change: RobloxChange = {
    ...emptyRecord,
    scope: 'universe/users/1@',
    sourceId: 'universe/users/1@0',
    action: 'ban',
    userId: '1',
    occurredAt: 0,
    changedAt: 0,
  }
  for (let line = 1; line <= 200_000; line++) log.add(line, change)
  expect(() => log.add(200_001, change)).toThrow('more than 200000 changes of restrictions')
  expect(log.listRecords()).toHaveLength(1)
})
