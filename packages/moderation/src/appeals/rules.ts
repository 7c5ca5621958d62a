import { AppError, type AppealState, isAppealWindowOver, isOpenAppealState } from '@reeve/core'
import type { AppealSettingsTable, AppealTable, RecordTable } from '@reeve/db'
import { isInForce } from '../records/sanction.ts'
import { MAX_APPEALS_PER_BAN } from './next-appeal.ts'
import { endsBeforeAppeal, formatUtcDeadline, formatUtcTime, getAppealWindow } from './player-message.ts'

/** The pure rules of appeals. Times are epoch milliseconds. */

/** The state at `now`: an open appeal expires with its ban, which needs no job to be right. */
export const getAppealState = (
  { state, ban_expires_at }: Pick<AppealTable, 'state' | 'ban_expires_at'>,
  now: number,
): AppealState =>
  isOpenAppealState(state) && ban_expires_at !== null && ban_expires_at <= now ? 'expired' : state

export const isOpen = (row: AppealTable, now: number): boolean => isOpenAppealState(getAppealState(row, now))

/** What a new appeal depends on. */
export interface AppealContext {
  readonly record: RecordTable
  readonly settings: Pick<AppealSettingsTable, 'is_enabled'>
  readonly last: AppealTable | null
  /** How many appeals the ban has had. */
  readonly count: number
}

/** Why a ban cannot be appealed at `now`; null if it can. */
export function findAppealObstacle(context: AppealContext, now: number): AppError | null {
  const { record, settings, last, count } = context
  if (record.appeal_code === null || settings.is_enabled === 0) return new AppError('not_appealable')
  if (last !== null && isOpen(last, now)) return new AppError('already_appealed')
  if (!isInForce(record, now))
    return new AppError('not_appealable', { message: 'This ban is no longer in force.' })
  if (last?.is_final === 1)
    return new AppError('not_appealable', { message: 'The decision on this ban is final.' })
  if (count >= MAX_APPEALS_PER_BAN)
    return new AppError('not_appealable', { message: 'This ban has been appealed too often.' })
  const window = getAppealWindow(record, last?.next_appeal_at ?? null)
  const { from, until } = window
  if (endsBeforeAppeal(from, record)) {
    return new AppError('not_appealable', {
      message: `This ban ends on ${formatUtcDeadline(record.expires_at ?? 0)}, before it can be appealed.`,
    })
  }
  if (until !== null && now >= until) {
    return new AppError('appeal_window_closed', {
      message: `This ban could be appealed until ${formatUtcTime(until)}.`,
    })
  }
  if (isAppealWindowOver(window, now))
    return new AppError('not_appealable', { message: 'This ban cannot be appealed again.' })
  if (from !== null && now < from) {
    return new AppError('appeal_window_closed', {
      message: `This ban can be appealed from ${formatUtcDeadline(from)}.`,
    })
  }
  return null
}
