import {
  expiresBefore,
  formatAppealCode,
  isAppealWindowOver,
  MINUTE_MS,
  type RecordAction,
} from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { type NextAppeal, NO_NEXT_APPEAL } from './next-appeal.ts'

/** What a player may know of a record. */
export type PublicRecord = NextAppeal &
  Pick<
    RecordTable,
    'reason' | 'public_reason' | 'expires_at' | 'appeal_code' | 'appeal_from' | 'appeal_until'
  >

/** The reason as the player reads it: that of the template, if there is one. */
export const getPublicReason = ({
  public_reason,
  reason,
}: Pick<RecordTable, 'public_reason' | 'reason'>): string | null => public_reason ?? reason

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** `1 December 2026, 10:00 UTC`: the server does not know the time zone of the player. */
export function formatUtcTime(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const [year, month, day] = date.split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time.slice(0, 5)} UTC`
}

/** As `formatUtcTime`, rounded up, so that nobody comes back too early: for when something ends or becomes possible. */
export const formatUtcDeadline = (at: number): string => formatUtcTime(Math.ceil(at / MINUTE_MS) * MINUTE_MS)

/** Whether a ban ends before it can be appealed. @param from epoch milliseconds; null for at once */
export const endsBeforeAppeal = (
  from: number | null,
  { expires_at }: Pick<RecordTable, 'expires_at'>,
): boolean => from !== null && !expiresBefore(from, expires_at)

/** From when until when a ban can be appealed; null without such a limit. */
export interface AppealWindow {
  readonly from: number | null
  readonly until: number | null
}

/** @param next when the wait after a denial ends; null without one */
export const getAppealWindow = (
  { appeal_from, appeal_until }: Pick<RecordTable, 'appeal_from' | 'appeal_until'>,
  next: number | null,
): AppealWindow => ({ from: Math.max(appeal_from ?? 0, next ?? 0) || null, until: appeal_until })

/** Characters that change the direction of all text after them: from the reason on, they would turn around the appeal code. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g

const beginnings: Readonly<Record<Exclude<RecordAction, 'note'>, string>> = {
  ban: 'You are banned',
  mute: 'You are muted',
  kick: 'You were kicked',
  warn: 'You have been warned',
}

/**
 * A ready-made text for the player about a record that is in force: what, until when, why, and how to appeal, if that is possible now or
 * later. It contains no link, because Roblox forbids those.
 * @returns null for a note, which is for staff only
 */
export function formatPlayerMessage(action: RecordAction, row: PublicRecord, now: number): string | null {
  if (action === 'note') return null
  const isSanction = action === 'ban' || action === 'mute'
  const end = !isSanction
    ? ''
    : row.expires_at === null
      ? ' permanently'
      : ` until ${formatUtcDeadline(row.expires_at)}`
  const reason = getPublicReason(row)?.replace(DIRECTION_CONTROLS, '') ?? null
  return [
    `${beginnings[action]}${end}.`,
    reason === null ? null : `Reason: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`,
    formatAppealHint(row, now),
  ]
    .filter((part) => part !== null)
    .join(' ')
}

function formatAppealHint(row: PublicRecord, now: number): string | null {
  const code = presentStoredAppealCode(row)
  const window = getAppealWindow(row, row.next_appeal)
  const { from, until } = window
  const isClosed = row.next_appeal === NO_NEXT_APPEAL || isAppealWindowOver(window, now)
  if (code === null || isClosed || endsBeforeAppeal(from, row)) return null
  const times = [
    from === null ? '' : ` from ${formatUtcDeadline(from)}`,
    until === null ? '' : ` until ${formatUtcTime(until)}`,
  ].join('')
  return `You can appeal${times}. Appeal code: ${code}`
}

/** The code that a record has, as people read it. */
export const presentStoredAppealCode = ({ appeal_code }: Pick<RecordTable, 'appeal_code'>): string | null =>
  appeal_code === null ? null : formatAppealCode(appeal_code)

/** The code of a ban as people read it; null if it cannot be appealed, or ends before that. */
export const presentAppealCode = (
  row: Pick<RecordTable, 'appeal_code' | 'appeal_from' | 'expires_at'>,
): string | null => (endsBeforeAppeal(row.appeal_from, row) ? null : presentStoredAppealCode(row))
