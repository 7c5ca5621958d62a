import { AppError } from '@reeve/core'
import type { ForeignRecord } from './format.ts'

/** A ban, and the line of the file that contains it. */
interface Ban {
  readonly line: number
  readonly record: ForeignRecord
}

/** What a ban takes over from the case that lifts it. */
type Unban = Pick<ForeignRecord, 'occurredAt' | 'moderator' | 'reason'>

interface PlayerCases {
  readonly bans: Ban[]
  readonly unbans: Unban[]
}

/** All of them are in memory until the file ends. */
const MAX_CASES = 200_000

/** Collects the bans and unbans of a file, and gives each ban its end, whatever their order in the file is. */
export function createZeppelinBans() {
  const casesByPlayer = new Map<string, PlayerCases>()
  let count = 0
  function openCases({ userId }: ForeignRecord): PlayerCases {
    count += 1
    if (count > MAX_CASES)
      throw new AppError('conflict', {
        message: `The file has more than ${MAX_CASES} bans and unbans. Split it by players.`,
      })
    const cases = casesByPlayer.get(userId) ?? { bans: [], unbans: [] }
    casesByPlayer.set(userId, cases)
    return cases
  }
  return {
    /** @throws AppError `conflict` for more cases than memory should hold */
    addBan(ban: Ban): void {
      openCases(ban.record).bans.push(ban)
    },

    /** @throws AppError `conflict` for more cases than memory should hold */
    addUnban(record: ForeignRecord): void {
      const { occurredAt, moderator, reason } = record
      openCases(record).unbans.push({ occurredAt, moderator, reason })
    },

    /** The bans, oldest first, so that the newest ones of a player meet those before. */
    listBans(): Ban[] {
      return [...casesByPlayer.values()]
        .flatMap(endBans)
        .sort((one, other) => one.record.occurredAt - other.record.occurredAt || one.line - other.line)
    },
  }
}

/** Each ban ends with the first unban after it. */
function endBans({ bans, unbans }: PlayerCases): Ban[] {
  bans.sort((one, other) => one.record.occurredAt - other.record.occurredAt)
  unbans.sort((one, other) => one.occurredAt - other.occurredAt)
  let next = 0
  return bans.map((ban) => {
    while ((unbans[next]?.occurredAt ?? Number.POSITIVE_INFINITY) < ban.record.occurredAt) next += 1
    const end = unbans[next]
    return end === undefined ? ban : { line: ban.line, record: lift(ban.record, end) }
  })
}

const lift = (record: ForeignRecord, { occurredAt, moderator, reason }: Unban): ForeignRecord => ({
  ...record,
  isLifted: true,
  liftedAt: occurredAt,
  liftedBy: moderator,
  liftReason: reason,
})
