import { type AuditFilter, listAuditEntries, parseAuditPage } from '@reeve/audit'
import type { Actor } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { AuditQueryInput } from './model.ts'

const recordIdsByCase = statement<{ workspaceId: string; caseNumbers: readonly number[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_case'))
      .select('id')
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('case_number', p.caseNumbers)),
)
const recordIdsByPlayer = statement<{ workspaceId: string; userIds: readonly string[]; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
      .select('id')
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('user_id', p.userIds))
      .limit(p.limit),
)

/** With more cases, the entries of players are searched for in the log instead of looked up. */
const MAX_LOOKUPS = 1000

/** A page of the audit log. @throws AppError `invalid_request` naming `cursor` */
export async function listEntries(db: Queries, actor: Actor, input: AuditQueryInput) {
  const filter = { ...input, ...(await resolveTargets(db, actor, input)) }
  return listAuditEntries(db, actor, filter, parseAuditPage(input))
}

/** The targets that a request names by their ids, by case numbers or by players. */
async function resolveTargets(
  db: Queries,
  { workspaceId }: Actor,
  { targetId, caseNumber, userId }: AuditQueryInput,
): Promise<Pick<AuditFilter, 'targetIds' | 'userIds'>> {
  if (!targetId && !caseNumber && !userId) return {}
  const cases = caseNumber ? await db.all(recordIdsByCase, { workspaceId, caseNumbers: caseNumber }) : []
  const records = userId
    ? await db.all(recordIdsByPlayer, { workspaceId, userIds: userId, limit: MAX_LOOKUPS + 1 })
    : []
  const namedIds = [...(targetId ?? []), ...cases.map(({ id }) => id)]
  return records.length > MAX_LOOKUPS
    ? { targetIds: namedIds, userIds: userId ?? [] }
    : { targetIds: [...namedIds, ...records.map(({ id }) => id)] }
}
