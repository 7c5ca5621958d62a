import { type Actor, DEFAULT_LIMIT, normalizeName, type RecordAction, recordActions, wire } from '@reeve/core'
import { type Queries, sqlLiteral, statement } from '@reeve/db'
import type { ReasonsQueryInput } from './model.ts'

/** How many of the newest records of an action suggestions come from, which limits their cost in a long history. */
const WINDOW = 1000

/** Excludes API keys by its index, so that a script with thousands of records does not displace what people wrote. */
export const newestReasons = statement<{ workspaceId: string; action: RecordAction; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_people'))
      .select(['reason', 'case_number', 'created_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where('action', '=', p.action)
      .where('actor_kind', '=', sqlLiteral('account'))
      .orderBy('case_number', 'desc')
      .limit(p.limit),
)

interface UsedReason {
  /** In the newest spelling. */
  readonly reason: string
  readonly createdAt: number
  count: number
}

/**
 * Lists the reasons in the newest records that people created, most recently used first. Reasons that differ only in case or
 * spacing are one. Redacted records have none.
 */
export async function listReasons(db: Queries, { workspaceId }: Actor, input: ReasonsQueryInput) {
  const actions = input.action === undefined ? recordActions : [input.action]
  const records = []
  for (const action of actions)
    records.push(...(await db.all(newestReasons, { workspaceId, action, limit: WINDOW })))
  if (actions.length > 1) records.sort((one, other) => other.case_number - one.case_number)
  const reasons = new Map<string, UsedReason>()
  for (const { reason, created_at } of records) {
    if (reason === null || reason === '') continue
    const key = normalizeReason(reason)
    const known = reasons.get(key)
    if (known) known.count += 1
    else reasons.set(key, { reason, createdAt: created_at, count: 1 })
  }
  return {
    reasons: [...reasons.values()]
      .slice(0, input.limit ?? DEFAULT_LIMIT)
      .map(({ reason, createdAt, count }) => ({
        reason,
        count: String(count),
        lastUsedAt: wire.time.write(createdAt),
      })),
  }
}

/** The form of a reason that is compared: without differences in case and spacing. */
const normalizeReason = (reason: string): string => normalizeName(reason).replace(/\s+/g, ' ').trim()
