import { type Conditions, type Queries, type RecordTable, statement } from '@reeve/db'

/** When a ban can be appealed again, as far as its appeals and the settings of the workspace decide that. */

/** The most appeals of a ban, those withdrawn included. */
export const MAX_APPEALS_PER_BAN = 10

/** Instead of a time: the ban can never be appealed again. */
export const NO_NEXT_APPEAL = Number.MAX_SAFE_INTEGER

export interface NextAppeal {
  /**
   * The end of the wait after a denial, in epoch milliseconds; null without one. `NO_NEXT_APPEAL` after a final denial or the most appeals,
   * and while the workspace has appeals switched off.
   */
  readonly next_appeal: number | null
}

/** `next_appeal` as a column of a statement on `record`, so that a ban check needs no other one. Null unless a ban is in force that has a code. */
export const selectNextAppeal = (eb: Conditions<'record'>, workspaceId: string) =>
  eb
    .case()
    .when(eb.or([eb('record.appeal_code', 'is', null), eb('record.in_force', '=', eb.lit(0))]))
    .then(eb.lit(null))
    .when(
      eb.exists(
        eb
          .selectFrom('appeal_settings')
          .select('appeal_settings.version')
          .where('appeal_settings.workspace_id', '=', workspaceId)
          .where((settings) => settings('appeal_settings.is_enabled', '=', settings.lit(0))),
      ),
    )
    .then(eb.lit(NO_NEXT_APPEAL))
    .else(
      eb
        .selectFrom('appeal')
        .select((appeals) =>
          appeals
            .case()
            .when(
              appeals.or([
                appeals(appeals.fn.max('appeal.is_final'), '=', appeals.lit(1)),
                appeals(appeals.fn.countAll<number>(), '>=', appeals.lit(MAX_APPEALS_PER_BAN)),
              ]),
            )
            .then(appeals.lit(NO_NEXT_APPEAL))
            .else(appeals.fn.max<number | null>('appeal.next_appeal_at'))
            .end()
            .as('next_appeal'),
        )
        .where('appeal.workspace_id', '=', workspaceId)
        .whereRef('appeal.record_id', '=', 'record.id'),
    )
    .end()
    .as('next_appeal')

const nextAppealOf = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('record')
    .select((eb) => selectNextAppeal(eb, p.workspaceId))
    .where('record.workspace_id', '=', p.workspaceId)
    .where('record.id', '=', p.id),
)

/** `next_appeal` of a record that a statement without the column has read. */
export async function findNextAppeal(
  db: Queries,
  { workspace_id: workspaceId, id, appeal_code, in_force }: RecordTable,
): Promise<NextAppeal> {
  if (appeal_code === null || in_force === 0) return { next_appeal: null }
  return (await db.first(nextAppealOf, { workspaceId, id })) ?? { next_appeal: null }
}
