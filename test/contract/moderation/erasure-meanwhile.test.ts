import { afterAll, beforeAll, expect, test } from 'bun:test'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stopAfter } from '../../support/workspace-jobs.ts'
import { openErasureFixture } from './erasure-fixture.ts'

const PLAYER = '7654321098'
/** More than an erasure of one record has. */
const TRANSACTIONS = 10

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

test.each(['erase', 'pseudonymise'])(
  'the audit log describes a case of the player that is recorded during the erasure, whenever that is: %s',
  async (mode) => {
    for (let transactions = 1; transactions <= TRANSACTIONS; transactions++) {
      const fixture = await openErasureFixture(instance)
      await fixture.ban(PLAYER, { userUsername: 'Thistledown' })
      expect((await fixture.request(PLAYER, mode)).status).toBe(200)
      await fixture.run(stopAfter(transactions))
      const late = await fixture.actOk({ action: 'note', userId: PLAYER, reason: 'Came back' })
      await fixture.actOk({ action: 'comment', id: late.id, value: 'Seen again' })
      await fixture.run()
      const differences: RecordDifference[] = []
      await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
      expect({ transactions, differences }).toEqual({ transactions, differences: [] })
      expect(await fixture.faults()).toEqual([])
    }
  },
)
