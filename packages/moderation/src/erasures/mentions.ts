import { type Queries, type RecordTable, statement, type Transaction } from '@reeve/db'
import { parseComments, parseEvidence } from '../records/columns.ts'
import { findRecord } from '../records/record-store.ts'
import { rewriteVersions } from '../records/versions.ts'
import { createIdFinder } from './player-text.ts'

/** Records of other players that name the erased one: as a person whom an API key acted for, or in their texts. */

type PersonIdColumn = 'actor_platform_user_id' | 'revoked_by_platform_user_id'
type PersonColumn = PersonIdColumn | 'actor_username' | 'revoked_by_username'

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
    .set((eb) => {
      const unlessErased = <Column extends PersonColumn>(id: PersonIdColumn, column: Column) =>
        eb.case().when(dialect.inList(id, p.userIds)).then(eb.lit(null)).else(eb.ref(column)).end()
      return {
        actor_platform_user_id: unlessErased('actor_platform_user_id', 'actor_platform_user_id'),
        actor_username: unlessErased('actor_platform_user_id', 'actor_username'),
        revoked_by_platform_user_id: unlessErased(
          'revoked_by_platform_user_id',
          'revoked_by_platform_user_id',
        ),
        revoked_by_username: unlessErased('revoked_by_platform_user_id', 'revoked_by_username'),
      }
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '>', p.after)
    .where('case_number', '<=', p.last)
    .where((eb) =>
      eb.or([
        dialect.inList('actor_platform_user_id', p.userIds),
        dialect.inList('revoked_by_platform_user_id', p.userIds),
      ]),
    ),
)
/** The records with an earlier version that names a player who had lifted or revoked it: as a text, or as a part of one. */
const recordsWithRevokedVersion = statement<Range>()((sql, p, dialect) =>
  sql
    .selectFrom('record_version')
    .select('record_id')
    .distinct()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', 'in', (eb) =>
      eb
        .selectFrom('record')
        .select('id')
        .where('workspace_id', '=', p.workspaceId)
        .where('case_number', '>', p.after)
        .where('case_number', '<=', p.last),
    )
    .where((eb) =>
      eb.or(
        ['"', '['].map((start) => dialect.contains('snapshot', `"revoked_by_platform_user_id":${start}`)),
      ),
    ),
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
  const actors =
    (await eraseFromVersions(tx, range, new Set(userIds))) +
    (await tx.run(removeActor, { ...range, userIds }))
  const containsId = createIdFinder(userIds)
  const cases = new Set<number>()
  for (const text of userIds)
    for (const row of await tx.all(recordsWith, { ...range, text }))
      if (
        [
          ...[row.reason ?? '', row.revoke_reason ?? ''],
          ...parseEvidence(row),
          ...parseComments(row).map(({ text }) => text),
        ].some(containsId)
      )
        cases.add(row.case_number)
  return { next: range.last, actors, cases: [...cases].sort((one, other) => one - other) }
}

/**
 * Removes the player from the earlier versions of records that they had lifted or revoked, before the records themselves.
 * @returns how many records had the player in earlier versions only
 */
async function eraseFromVersions(
  tx: Transaction,
  range: Range,
  userIds: ReadonlySet<string | null>,
): Promise<number> {
  const erase = (row: RecordTable): RecordTable =>
    userIds.has(row.revoked_by_platform_user_id)
      ? { ...row, revoked_by_platform_user_id: null, revoked_by_username: null }
      : row
  let records = 0
  for (const { record_id } of await tx.all(recordsWithRevokedVersion, range)) {
    const record = await findRecord(tx, range.workspaceId, record_id)
    if (!record || !(await rewriteVersions(tx, record, erase))) continue
    const isNamed =
      userIds.has(record.actor_platform_user_id) || userIds.has(record.revoked_by_platform_user_id)
    if (!isNamed) records += 1
  }
  return records
}
