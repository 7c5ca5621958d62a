import type { ModerationAction } from './moderation-actions.ts'

/** How many bans, mutes and warnings each day has, from 22 October to 19 November. */
const days =
  '012 101 003 212 113 024 001 102 011 203 104 012 000 121 105 213 002 111 010 304 115 022 001 012 203 101 024 112 013'
const FIRST_DAY = Date.parse('2026-10-22T00:00:00Z')
const DAY_MS = 86_400_000

const measures = [
  { action: 'ban', durationSeconds: '259200', moderators: ['juniper', 'sena'] },
  { action: 'mute', durationSeconds: '3600', moderators: ['ash', 'juniper', 'tomas'] },
  { action: 'warn', moderators: ['ada', 'ash', 'tomas', 'ash'] },
] as const
const reasons = [
  'Insulting other players',
  'Advertising another game',
  'Spamming the trade channel',
  'Exploiting',
]
const players = [
  'Marble',
  'tide_walker',
  'Ferro',
  'little_lamp',
  'Ozan',
  'Kestrel9',
  'sugarcube',
  'Brick_by_Brick',
]

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item

/** What staff did about other players in the weeks before. */
export const earlierWeeks: readonly ModerationAction[] = days.split(' ').flatMap((counts, day) =>
  measures.flatMap(({ moderators, ...measure }, kind) =>
    Array.from({ length: Number(counts[kind]) }, (_, index): ModerationAction => {
      const number = day * 3 + kind * 5 + index
      const at = FIRST_DAY + day * DAY_MS + (15 + kind + index) * 3_600_000
      return {
        time: new Date(at).toISOString(),
        username: pick(moderators, number),
        ...measure,
        userId: String(3000 + (number % 40)),
        userUsername: pick(players, number),
        reason: pick(reasons, number),
      }
    }),
  ),
)
