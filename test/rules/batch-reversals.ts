import { expect } from 'bun:test'
import { HOUR_MS } from '@reeve/core'
import fc from 'fast-check'
import { openBatchFixture } from '../contract/moderation/batch-fixture.ts'
import type { Property } from './property.ts'

const player = fc.constantFrom('1', '2', '3', '4', '5')
const duration = fc.constantFrom({}, { durationSeconds: '600' }, { durationSeconds: '86400' })
const sanction = fc.record({ action: fc.constantFrom('ban', 'mute'), userId: player, duration })
const earlier = fc.array(sanction, { maxLength: 8 })
const ACTIONS = ['ban', 'mute', 'warn', 'note', 'unban', 'unmute', 'edit', 'comment', 'revoke', 'acknowledge']
const batch = fc.record({
  action: fc.constantFrom(...ACTIONS),
  players: fc.uniqueArray(player, { minLength: 1 }),
  duration,
  waitsHours: fc.constantFrom(0, 1),
})

/** A batch that is followed by its reversal leaves the workspace as it was, except for the log. */
export const batchReversals: Property = {
  name: 'a batch followed by its reversal leaves the workspace as it was, except for the log',
  async check(instance, parameters) {
    let reversed = 0
    await fc.assert(
      fc.asyncProperty(earlier, batch, async (history, { action, players, duration: fields, waitsHours }) => {
        const run = await openBatchFixture(instance)
        for (const { duration: length, ...change } of history)
          await run.act({ ...change, reason: 'earlier', ...length })
        instance.clock.advance(waitsHours * HOUR_MS)
        const before = await run.readState()
        const targets = await run.toTargets(action, players, fields)
        if (targets === null) return
        const { batch: done } = await run.runBatch({ action, ...targets })
        if (done.succeeded === '0') return
        const { batch: reversal } = await run.reverse(done.id)
        expect(reversal.failed).toBe('0')
        const after = await run.readState()
        expect(after.sanctions).toEqual(before.sanctions)
        const known = new Set(before.records.map(({ id }) => id))
        expect(after.records.filter(({ id }) => known.has(id))).toEqual(before.records)
        const created = after.records.filter(({ id }) => !known.has(id))
        expect(created.map(({ status }) => status)).toEqual(created.map(() => 'revoked'))
        reversed += 1
      }),
      parameters,
    )
    return { reversed }
  },
}
