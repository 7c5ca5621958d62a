import { DAY_MS, HOUR_MS } from '@reeve/core'
import fc from 'fast-check'

/** What staff, games and time do in a workspace, at random. */

/** One of them is of another platform than the default. */
export const PLAYERS = ['1', '2', '3', 'steam:76561197960287930']

const player = fc.constantFrom(...PLAYERS)
const duration = fc.constantFrom({}, { durationSeconds: '600' }, { durationSeconds: '86400' })
/** Which of the existing ones, counted from the newest. */
const index = fc.nat({ max: 6 })

const importedRow = fc.record({
  sourceId: fc.nat({ max: 8 }),
  action: fc.constantFrom('ban', 'mute', 'warn'),
  userId: player,
  daysAgo: fc.nat({ max: 3 }),
  lastsDays: fc.constantFrom(null, 1, 5),
  isLifted: fc.boolean(),
})
export type ImportedRow = typeof importedRow extends fc.Arbitrary<infer Value> ? Value : never

const kind = <const Kind extends string>(name: Kind) => fc.constant(name)

/** Each with how often it is chosen. */
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('act'),
      action: fc.constantFrom('ban', 'ban', 'mute', 'warn', 'note'),
      userId: player,
      duration,
      /** By somebody whose permanent bans need approval. */
      isAsked: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('lift'), action: fc.constantFrom('unban', 'unmute'), userId: player }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kind('change'),
      index,
      change: fc.constantFrom(
        ...['edit', 'shorten', 'extend', 'reduce', 'comment', 'evidence', 'revoke', 'redact', 'acknowledge'],
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('batch'),
      action: fc.constantFrom(
        'ban',
        'mute',
        'warn',
        'unban',
        'edit',
        'extend',
        'reduce',
        'comment',
        'revoke',
      ),
      players: fc.uniqueArray(player, { minLength: 1 }),
      duration,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('undo'), index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('raid'),
      index,
      /** Whether the player is sanctioned again once the shortened sanction has expired. */
      isReplaced: fc.boolean(),
      /** Whether that has expired too before the raid is undone. */
      isLate: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('import'),
      rows: fc.array(importedRow, { minLength: 1, maxLength: 4 }),
      conflicts: fc.constantFrom('skip', 'merge', 'supersede'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('erase'),
      userId: player,
      mode: fc.constantFrom('erase', 'pseudonymise'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('decide'), index, decision: fc.constantFrom('approve', 'reject') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('appeal'),
      index,
      decision: fc.constantFrom('accepted', 'denied', 'reduced'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('archive') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('roll back'), index }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('retain'), days: fc.constantFrom(null, '1', '3') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('platform'),
      defaultPlatform: fc.constantFrom('roblox', 'steam', 'minecraft'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('wait'),
      ms: fc.constantFrom(1, 599_999, 600_000, HOUR_MS, DAY_MS, 3 * DAY_MS),
    }),
  },
)

export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

export const history = fc.array(step, { minLength: 8, maxLength: 60, size: 'max' })
