import { expect } from 'bun:test'
import { HOUR_MS } from '@reeve/core'
import fc from 'fast-check'
import { type BatchFixture, openBatchFixture } from '../contract/moderation/batch-fixture.ts'
import type { Instance } from '../support/instance.ts'
import type { Property } from './property.ts'

const player = fc.constantFrom('1', '2', '3', '4', '5')
const duration = fc.constantFrom({}, { durationSeconds: '600' }, { durationSeconds: '86400' })
const sanction = fc.record({
  action: fc.constantFrom('ban', 'mute'),
  userId: player,
  duration,
  /** By somebody whose permanent bans need approval. */
  isAsked: fc.boolean(),
  appeal: fc.constantFrom('none', 'submitted', 'claimed'),
})
const earlier = fc.array(sanction, { maxLength: 8 })
const ACTIONS = [
  ...['ban', 'mute', 'warn', 'kick', 'note', 'unban', 'unmute'],
  ...['edit', 'extend', 'comment', 'evidence', 'revoke', 'acknowledge'],
]
const batch = fc.record({
  action: fc.constantFrom(...ACTIONS),
  players: fc.uniqueArray(player, { minLength: 1 }),
  duration,
  waitsHours: fc.constantFrom(0, 1),
})

type Sanction = typeof sanction extends fc.Arbitrary<infer Value> ? Value : never

/** Imposes sanctions, with what depends on them: requests for approval and appeals. */
async function prepare(instance: Instance, run: BatchFixture, history: readonly Sanction[]) {
  const asker = await instance.member(run.id, ['moderation.view', 'moderation.ban', 'moderation.mute'], 5, {
    permanentBansNeedApproval: true,
  })
  for (const { duration: length, isAsked, appeal, action, userId } of history) {
    const body = { action, userId, reason: 'earlier', ...length }
    const { body: imposed } = isAsked
      ? await instance.request('POST', run.toPath({}), { session: asker.session, body })
      : await run.act(body)
    if (appeal === 'none' || !imposed.record?.appealCode) continue
    const id = await run.appeal(imposed.record)
    if (appeal === 'claimed') await run.manageAppeal('claim', id)
  }
}

/** How many records of each action there are. */
const COUNTED = { bans: 'ban', mutes: 'mute', warnings: 'warn', kicks: 'kick' } as const

/** A batch that is followed by its reversal leaves the workspace as it was, except for the log. */
export const batchReversals: Property = {
  name: 'a batch followed by its reversal leaves the workspace as it was, except for the log',
  async check(instance, parameters) {
    let reversed = 0
    await fc.assert(
      fc.asyncProperty(earlier, batch, async (history, { action, players, duration: fields, waitsHours }) => {
        const run = await openBatchFixture(instance)
        await prepare(instance, run, history)
        instance.clock.advance(waitsHours * HOUR_MS)
        const before = { ...(await run.readState()), ...(await run.readDependents()) }
        const targets = await run.toTargets(action, players, fields)
        if (targets === null) return
        const { batch: done } = await run.runBatch({ action, ...targets })
        if (done.succeeded === '0') return
        const { batch: reversal } = await run.reverse(done.id)
        expect([reversal.state, reversal.failed]).toEqual(['succeeded', '0'])
        const after = { ...(await run.readState()), ...(await run.readDependents()) }
        expect(after.sanctions).toEqual(before.sanctions)
        const known = new Set(before.records.map(({ id }) => id))
        expect(after.records.filter(({ id }) => known.has(id))).toEqual(before.records)
        const created = after.records.filter(({ id }) => !known.has(id))
        expect(created.map(({ status }) => status)).toEqual(created.map(() => 'revoked'))
        expect(after.appeals).toEqual(before.appeals)
        expect(after.approvals).toEqual(before.approvals)
        expect(after.mentions).toEqual(before.mentions)
        expect(after.totals).toEqual(addCreated(before.totals, created))
        reversed += 1
      }),
      parameters,
    )
    return { reversed }
  },
}

/** The counts with those of the records that the batch created, all of which are revoked. */
function addCreated(totals: Record<string, number>, created: readonly { readonly action: string }[]) {
  const expected = { ...totals }
  for (const [name, action] of Object.entries(COUNTED)) {
    const added = created.filter((record) => record.action === action).length
    expected[name] = (expected[name] ?? 0) + added
    expected.lifted = (expected.lifted ?? 0) + added
  }
  return expected
}
