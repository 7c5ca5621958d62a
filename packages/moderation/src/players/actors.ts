import { findLastSequence } from '@reeve/audit'
import { type Actor, DEFAULT_LIMIT, invalidRequest } from '@reeve/core'
import { type Queries, sqlLiteral, statement } from '@reeve/db'
import type { ActorsQueryInput } from './model.ts'
import { listRecentChangers } from './recent-changers.ts'

/** The number of newest records whose actors are listed, which limits their cost in a long history. */
const WINDOW = 5000

const lastCaseNumber = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').select('case_number').where('workspace_id', '=', p.workspaceId),
)
/** By case number, because the planner would otherwise read every record of the workspace in the order of actors. */
export const recentActors = statement<{ workspaceId: string; after: number; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_case'))
      .select('actor_id')
      .where('workspace_id', '=', p.workspaceId)
      .where('case_number', '>', p.after)
      .groupBy('actor_id')
      .orderBy((eb) => eb.fn.max('case_number'), 'desc')
      .limit(p.limit),
)
const memberNames = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['account.id', 'account.username as name'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('member.account_id', p.ids)),
)
const apiKeyNames = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const lastRecordBy = statement<{ workspaceId: string; actorId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select('actor_username as name')
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.actorId)
    .where('actor_kind', '=', sqlLiteral('account'))
    .orderBy('case_number', 'desc')
    .limit(1),
)

/**
 * Returns the names of the requested accounts and API keys, or of those that recently created records, or changed some. A former member has
 * the name in their newest record or change. An id that is unknown in the workspace is omitted.
 * @throws AppError `invalid_request` for ids together with `changed`
 */
export async function listActors(db: Queries, { workspaceId }: Actor, input: ActorsQueryInput) {
  if (input.changed === true && input.ids !== undefined)
    throw invalidRequest({ field: 'changed', message: 'cannot be given together with ids' })
  const limit = input.limit ?? DEFAULT_LIMIT
  const changers =
    input.changed === true
      ? await listRecentChangers(db, workspaceId, await findLastSequence(db, workspaceId), limit)
      : []
  const ids =
    input.ids ??
    (input.changed === true ? changers.map(({ id }) => id) : await listRecentActorIds(db, workspaceId, limit))
  const names = new Map<string, string>()
  for (const { id, name } of [
    ...(await db.all(memberNames, { workspaceId, ids })),
    ...(await db.all(apiKeyNames, { workspaceId, ids })),
  ]) {
    names.set(id, name)
  }
  // Empty once it was blanked.
  for (const { id, name } of changers) if (name !== '' && !names.has(id)) names.set(id, name)
  for (const id of ids.filter((candidate) => !names.has(candidate))) {
    const last = await db.first(lastRecordBy, { workspaceId, actorId: id })
    if (last?.name) names.set(id, last.name)
  }
  return {
    actors: ids.flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ id, name }]
    }),
  }
}

async function listRecentActorIds(db: Queries, workspaceId: string, limit: number): Promise<string[]> {
  const head = await db.first(lastCaseNumber, { workspaceId })
  const after = (head?.case_number ?? 0) - WINDOW
  return (await db.all(recentActors, { workspaceId, after, limit })).map(({ actor_id }) => actor_id)
}
