import { expect, test } from 'bun:test'
import { emptyRecord, type ForeignRecord } from '../src/imports/formats/format.ts'
import { createZeppelinBans } from '../src/imports/formats/zeppelin-bans.ts'

test('a file of Zeppelin has no more bans and unbans than memory should hold', () => {
  const bans = createZeppelinBans()
  const record: ForeignRecord = {
    ...emptyRecord,
    sourceId: '1',
    action: 'ban',
    userId: 'discord:106391128718245888',
    occurredAt: 0,
  }
  for (let line = 1; line <= 100_000; line++) {
    bans.addBan({ line, record })
    bans.addUnban(record)
  }
  expect(() => bans.addUnban(record)).toThrow('more than 200000 bans and unbans')
  expect(() => bans.addBan({ line: 200_001, record })).toThrow('more than 200000 bans and unbans')
  expect(bans.listBans()).toHaveLength(100_000)
})
