import { AppError } from '@reeve/core'
import type { ForeignRecord, ParsedItem } from './format.ts'

/** A change of a restriction: a ban, or its end. */
export interface RobloxChange extends ForeignRecord {
  /** What the ids of all restrictions of the player in the same place begin with. */
  readonly scope: string
  /** Epoch milliseconds, by which changes are ordered. */
  readonly changedAt: number
}

/** Every change is in memory until the file ends, each with two texts of Roblox: about 250 MB. */
const MAX_CHANGES = 200_000

interface NumberedChange {
  readonly line: number
  readonly change: RobloxChange
}

/** The ban of a player in a place while the changes are replayed. */
interface OpenBan {
  readonly line: number
  record: ForeignRecord
  isOpen: boolean
}

/** Collects the changes of a file, and reduces them to bans with their ends, whatever their order in the file is. */
export function createRobloxLog() {
  const changesByScope = new Map<string, NumberedChange[]>()
  let count = 0
  return {
    /** @throws AppError `conflict` for more changes than memory should hold */
    add(line: number, change: RobloxChange): void {
      count += 1
      if (count > MAX_CHANGES)
        throw new AppError('conflict', {
          message: `The file has more than ${MAX_CHANGES} changes of restrictions. Split it by players.`,
        })
      const changes = changesByScope.get(change.scope)
      if (changes) changes.push({ line, change })
      else changesByScope.set(change.scope, [{ line, change }])
    },

    /** The bans, oldest first, so that the newest ones of a player meet those before. */
    listRecords(): ParsedItem[] {
      return [...changesByScope.values()]
        .flatMap(replayChanges)
        .sort((one, other) => one.record.occurredAt - other.record.occurredAt || one.line - other.line)
    },
  }
}

/** At the same time, a ban comes before its end. */
const inTimeOrder = ({ change: one }: NumberedChange, { change: other }: NumberedChange): number =>
  one.changedAt - other.changedAt || Number(one.isLifted) - Number(other.isLifted)

function replayChanges(changes: NumberedChange[]): { line: number; record: ForeignRecord }[] {
  const bans: OpenBan[] = []
  const notes: { line: number; record: ForeignRecord }[] = []
  for (const { line, change } of changes.sort(inTimeOrder)) {
    const last = bans.at(-1)
    if (change.isLifted) {
      if (last?.isOpen) lift(last, change)
      else if (last?.record.liftedAt !== change.changedAt) notes.push({ line, record: toUnbanNote(change) })
    } else if (last?.isOpen && last.record.occurredAt === change.occurredAt)
      // The same restriction with another reason or duration.
      last.record = change
    else {
      if (last?.isOpen) replace(last, change)
      bans.push({ line, record: change, isOpen: true })
    }
  }
  return [...bans.map(({ line, record }) => ({ line, record })), ...notes]
}

const hasExpired = ({ expiresAt }: ForeignRecord, at: number): boolean =>
  expiresAt !== null && expiresAt <= at

function lift(ban: OpenBan, { changedAt, moderator, reason }: RobloxChange): void {
  ban.isOpen = false
  // Roblox keeps the restriction of a player after its time, until somebody changes it.
  if (hasExpired(ban.record, changedAt)) return
  ban.record = {
    ...ban.record,
    isLifted: true,
    liftedAt: changedAt,
    liftedBy: moderator,
    liftReason: reason === ban.record.reason ? null : reason,
  }
}

function replace(ban: OpenBan, { occurredAt }: RobloxChange): void {
  ban.isOpen = false
  if (!hasExpired(ban.record, occurredAt)) ban.record = { ...ban.record, isReplaced: true }
}

/** The end of a ban that the file does not contain: a note, which lifts the ban if an earlier file has brought it. */
const toUnbanNote = ({ scope, changedAt, reason, ...change }: RobloxChange): ForeignRecord => ({
  ...change,
  sourceId: `${scope}${changedAt}/unban`,
  action: 'note',
  reason: reason === null ? 'Unban' : `Unban: ${reason}`,
  occurredAt: changedAt,
  expiresAt: null,
  isLifted: false,
  lifts: { kind: 'ban', sourceIdPrefix: scope },
})
