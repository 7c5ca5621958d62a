import { type AuditFilter, INSTANCE_CHAIN, listAuditEntries, parseAuditPage } from '@reeve/audit'
import { type Actor, listKeysOfPlayers } from '@reeve/core'
import { type AuditTable, type Queries, statement } from '@reeve/db'
import type { AuditQueryInput, InstanceAuditQueryInput, SecurityActivityQueryInput } from './model.ts'

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

const usernamesById = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('account').select(['id', 'username']).where(dialect.inList('id', p.ids)),
)

/** With more cases, the entries of players are searched for in the log instead of looked up. */
const MAX_LOOKUPS = 1000

/**
 * A page of the log of the instance: accounts, operators, sign-ins.
 * @throws AppError `invalid_request` naming `cursor`
 */
export const listInstanceEntries = (db: Queries, { targetId, ...input }: InstanceAuditQueryInput) =>
  listAuditEntries(
    db,
    { workspaceId: INSTANCE_CHAIN },
    { ...input, ...(targetId !== undefined && { targetIds: targetId }) },
    parseAuditPage(input),
  )

/** The usernames of the accounts that entries are about, by their ids. */
export async function findTargetNames(
  db: Queries,
  rows: readonly AuditTable[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap((row) => (row.target_kind === 'account' ? [row.target_id] : []))
  const accounts = ids.length === 0 ? [] : await db.all(usernamesById, { ids: [...new Set(ids)] })
  return new Map(accounts.map(({ id, username }) => [id, username]))
}

/** A page of what an account did and of what was done to it, outside of workspaces. @throws the same */
export const listAccountEntries = (db: Queries, accountId: string, input: SecurityActivityQueryInput) =>
  listAuditEntries(db, { workspaceId: INSTANCE_CHAIN }, { accountId }, parseAuditPage(input))

/** A page of the audit log. @throws AppError `invalid_request` naming `cursor` */
export async function listEntries(db: Queries, actor: Actor, input: AuditQueryInput) {
  const filter = { ...input, ...(await resolveTargets(db, actor, input)) }
  return listAuditEntries(db, actor, filter, parseAuditPage(input))
}

/** The targets that a request names by their ids, by case numbers or by players. */
async function resolveTargets(
  db: Queries,
  { workspaceId, platforms }: Actor,
  { targetId, caseNumber, userId: players }: AuditQueryInput,
): Promise<Pick<AuditFilter, 'targetIds' | 'userIds'>> {
  const userId = players && listKeysOfPlayers(players, platforms)
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
