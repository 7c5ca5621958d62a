import { formatAppealCode, type RecordAction } from '@reeve/core'
import type { RecordTable } from '@reeve/db'

/** What a player may know of a record. */
export type PublicRecord = Pick<
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

const beginnings: Readonly<Record<Exclude<RecordAction, 'note'>, string>> = {
  ban: 'You are banned',
  mute: 'You are muted',
  kick: 'You were kicked',
  warn: 'You have been warned',
}

/**
 * A ready-made text for the player about a record that is in force: what, until when, why, and how to appeal. It contains no link, because
 * Roblox forbids those.
 * @returns null for a note, which is for staff only
 */
export function formatPlayerMessage(action: RecordAction, row: PublicRecord): string | null {
  if (action === 'note') return null
  const isSanction = action === 'ban' || action === 'mute'
  const end = !isSanction
    ? ''
    : row.expires_at === null
      ? ' permanently'
      : ` until ${formatUtcTime(row.expires_at)}`
  const reason = getPublicReason(row)
  return [
    `${beginnings[action]}${end}.`,
    reason === null ? null : `Reason: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`,
    formatAppealHint(row),
  ]
    .filter((part) => part !== null)
    .join(' ')
}

function formatAppealHint({ appeal_code, appeal_from, appeal_until }: PublicRecord): string | null {
  if (appeal_code === null) return null
  const times = [
    appeal_from === null ? '' : ` from ${formatUtcTime(appeal_from)}`,
    appeal_until === null ? '' : ` until ${formatUtcTime(appeal_until)}`,
  ].join('')
  return `You can appeal${times}. Appeal code: ${formatAppealCode(appeal_code)}`
}

/** The code of a ban as people read it; null if it cannot be appealed. */
export const presentAppealCode = ({ appeal_code }: Pick<RecordTable, 'appeal_code'>): string | null =>
  appeal_code === null ? null : formatAppealCode(appeal_code)
