import { DAY_MS, type RecordAction } from '@reeve/core'
import { type Conditions, type RetentionTable, statement } from '@reeve/db'

/** Which records the retention rules delete. */

/** Until when the last change of a record of each action must be, so that it is due. Times are epoch milliseconds. */
export interface Cutoffs {
  readonly workspaceId: string
  /** The midnight of the run. */
  readonly now: number
  readonly noteBefore: number
  readonly warnBefore: number
  readonly kickBefore: number
  readonly muteBefore: number
  readonly banBefore: number
}

/** Before every record: the action is kept. */
const NEVER = -1

/** The days of each action; null keeps its records. */
export type RetentionDays = Readonly<Record<`${RecordAction}_days`, number | null>>

/** When the rules apply. @param now the midnight of the run, epoch milliseconds */
export function toCutoffs(workspaceId: string, rules: RetentionDays, now: number): Cutoffs {
  const toCutoff = (days: number | null) => (days === null ? NEVER : now - days * DAY_MS)
  return {
    workspaceId,
    now,
    noteBefore: toCutoff(rules.note_days),
    warnBefore: toCutoff(rules.warn_days),
    kickBefore: toCutoff(rules.kick_days),
    muteBefore: toCutoff(rules.mute_days),
    banBefore: toCutoff(rules.ban_days),
  }
}

/** Whether the rules delete anything. */
export const deletesAny = (row: Pick<RetentionTable, keyof RetentionDays>): boolean =>
  [row.note_days, row.warn_days, row.kick_days, row.mute_days, row.ban_days].some((days) => days !== null)

/** Conditions on records that are old enough and that nothing needs any more. */
const areDue = (eb: Conditions<'record'>, p: Cutoffs) => {
  /** Last changed before the time, and, of a sanction that nobody has lifted, expired before it. */
  const isOld = (action: RecordAction, before: number) =>
    eb.and([
      eb('record.action', '=', action),
      eb('record.updated_at', '<=', before),
      eb.or([eb('record.in_force', '=', eb.lit(0)), eb('record.expires_at', '<=', before)]),
    ])
  const countsInLadder = eb
    .selectFrom('ladder')
    .select('ladder.id')
    .where('ladder.workspace_id', '=', p.workspaceId)
    .whereRef('ladder.id', '=', 'record.ladder_id')
    .where('record.revoked_at', 'is', null)
    .where(({ eb: of, or }) =>
      or([of('record.counts_until', 'is', null), of('record.counts_until', '>', p.now)]),
    )
    .where(({ eb: of, or, ref, lit, cast }) =>
      or([
        of('ladder.window_days', 'is', null),
        of(
          of(
            ref('record.created_at'),
            '+',
            of(cast<number>('ladder.window_days', 'bigint'), '*', lit(DAY_MS)),
          ),
          '>',
          p.now,
        ),
      ]),
    )
  const openAppeal = eb
    .selectFrom('appeal')
    .select('appeal.id')
    .where('appeal.workspace_id', '=', p.workspaceId)
    .whereRef('appeal.record_id', '=', 'record.id')
    .where('appeal.closed_at', 'is', null)
  const pendingApproval = eb
    .selectFrom('approval')
    .select('approval.id')
    .where('approval.workspace_id', '=', p.workspaceId)
    .whereRef('approval.record_id', '=', 'record.id')
    .where('approval.decision', 'is', null)
    .where('approval.expires_at', '>', p.now)
  const pinned = eb
    .selectFrom('pinned_note')
    .select('pinned_note.id')
    .where('pinned_note.workspace_id', '=', p.workspaceId)
    .whereRef('pinned_note.record_id', '=', 'record.id')
  // The assignment of a person who left counts for nothing.
  const assigned = eb
    .selectFrom('assignment')
    .innerJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'assignment.workspace_id')
        .onRef('member.account_id', '=', 'assignment.account_id'),
    )
    .select('assignment.record_id')
    .where('assignment.workspace_id', '=', p.workspaceId)
    .whereRef('assignment.record_id', '=', 'record.id')
  return eb.and([
    eb.or([
      isOld('note', p.noteBefore),
      isOld('warn', p.warnBefore),
      isOld('kick', p.kickBefore),
      isOld('mute', p.muteBefore),
      isOld('ban', p.banBefore),
    ]),
    ...[countsInLadder, openAppeal, pendingApproval, pinned, assigned].map((needed) =>
      eb.not(eb.exists(needed)),
    ),
  ])
}

/** A range of case numbers. */
interface Range {
  readonly after: number
  readonly last: number
}

/** How many records of each action in a range are due. */
export const countDue = statement<Cutoffs & Range>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_case'))
    .select((eb) => ['record.action', eb.fn.countAll<number>().as('count')])
    .where('record.workspace_id', '=', p.workspaceId)
    .where('record.case_number', '>', p.after)
    .where('record.case_number', '<=', p.last)
    .where((eb) => areDue(eb, p))
    .groupBy('record.action'),
)

/** The next records in a range that are due. */
export const nextDue = statement<Cutoffs & Range & { limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_case'))
    .select(['record.id', 'record.case_number'])
    .where('record.workspace_id', '=', p.workspaceId)
    .where('record.case_number', '>', p.after)
    .where('record.case_number', '<=', p.last)
    .where((eb) => areDue(eb, p))
    .orderBy('record.case_number')
    .limit(p.limit),
)

/** Of some records, those that are due. */
export const dueByIds = statement<Cutoffs & { ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .selectAll()
    .where('record.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids))
    .where((eb) => areDue(eb, p)),
)

/** Case numbers that one statement examines, which takes SQLite a few milliseconds. */
export const RANGE_CASES = 2000

/** The last midnight in UTC, as a number of days since 1970. @param now epoch milliseconds */
export const toDay = (now: number): number => Math.floor(now / DAY_MS)

/** The next midnight in UTC, from which records are deleted: epoch milliseconds. */
export const findNextRun = (now: number): number => (toDay(now) + 1) * DAY_MS
