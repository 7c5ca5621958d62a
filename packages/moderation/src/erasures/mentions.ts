import { type Queries, statement, type Transaction } from '@reeve/db'
import { createIdFinder } from './player-text.ts'

/** Records of other players that name the erased one: as the person an API key acted for, or in their texts. */

interface Range {
  readonly workspaceId: string
  readonly after: number
  readonly last: number
}

const lastCase = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('case_number').where('workspace_id', '=', p.workspaceId),
)
const recordsWith = statement<Range & { text: string }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select(['case_number', 'reason', 'revoke_reason', 'evidence', 'comments'])
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.after)
    .where('case_number', '<=', p.last)
    .where((eb) =>
      eb.or(
        (['reason', 'revoke_reason', 'evidence', 'comments'] as const).map((column) =>
          dialect.contains(column, p.text),
        ),
      ),
    ),
)
const removeActor = statement<Range & { userIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .updateTable('record')
    .set({ actor_platform_user_id: null, actor_username: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.after)
    .where('case_number', '<=', p.last)
    .where(dialect.inList('actor_platform_user_id', p.userIds)),
)

/** Cases per transaction, whose texts take a few milliseconds to search. */
const CASES_PER_SLICE = 500

/** The number of the last case of a workspace. */
export const findLastCase = async (db: Queries, workspaceId: string): Promise<number> =>
  (await db.first(lastCase, { workspaceId }))?.case_number ?? 0

/**
 * Removes the player as the actor of the next records, and finds those whose texts contain the id. The texts stay: they are about
 * somebody else, and people have to decide what to redact.
 * @param after the number of the last case that was read
 * @returns the same for the next call, how many records had the player as their actor, and the numbers of the cases with the id
 */
export async function eraseNextMentions(
  tx: Transaction,
  { workspaceId, userIds }: { readonly workspaceId: string; readonly userIds: readonly string[] },
  after: number,
): Promise<{ readonly next: number; readonly actors: number; readonly cases: readonly number[] }> {
  const range = { workspaceId, after, last: after + CASES_PER_SLICE }
  const actors = await tx.run(removeActor, { ...range, userIds })
  const containsId = createIdFinder(userIds)
  const cases = new Set<number>()
  for (const text of userIds)
    for (const row of await tx.all(recordsWith, { ...range, text }))
      if (
        [row.reason, row.revoke_reason, row.evidence, row.comments].some(
          (value) => value !== null && containsId(value),
        )
      )
        cases.add(row.case_number)
  return { next: range.last, actors, cases: [...cases].sort((one, other) => one - other) }
}
