import {
  type Actor,
  AppError,
  CREATE_PERMISSIONS,
  DAY_MS,
  DEFAULT_APPROVAL_HOURS,
  decideBan,
  getLimits,
  HOUR_MS,
  listPlayerKeys,
  type Ports,
} from '@reeve/core'
import { type RecordTable, statement, type Transaction } from '@reeve/db'
import { createLimitError } from '../limits/over-limit.ts'
import type { ModerationChange } from '../records/parse-change.ts'
import { computeExpiry, isInForce } from '../records/sanction.ts'
import { assertNoPendingApproval, getApprovalState, insertApproval } from './store.ts'

const workspaceSetting = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('approval_hours').where('id', '=', p.workspaceId),
)
const newestRequest = statement<{ workspaceId: string; personId: string; userIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('approval')
      .select(['decision', 'expires_at', 'requested_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where('person_id', '=', p.personId)
      .where(dialect.inList('user_id', p.userIds))
      .orderBy('id', 'desc')
      .limit(1),
)

/** After a request without success, the same person cannot request the same again for so long: the effect of requests must not last forever. */
const REPEAT_AFTER_MS = 7 * DAY_MS

/** How long a ban that waits for approval is in effect, in hours. */
export const findApprovalHours = async (
  db: Pick<Transaction, 'first'>,
  workspaceId: string,
): Promise<number> =>
  (await db.first(workspaceSetting, { workspaceId }))?.approval_hours ?? DEFAULT_APPROVAL_HOURS

/** The temporary ban that takes effect until a decision. */
export interface TemporaryBan {
  readonly seconds: number
  /** When the ban that it replaces would have ended, in epoch milliseconds; null if it replaces none. */
  readonly fallbackExpiresAt: number | null
}

/**
 * Plans the temporary ban for a ban that needs approval.
 * @param existing the current bans of the player
 * @returns null if the ban needs no approval
 * @throws AppError `conflict` if the player is banned permanently or waits for approval already; `forbidden` (`needs_approval`)
 *   if the last request of the actor for this player had no success
 */
export async function planTemporaryBan(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'ban' | 'mute'>,
  existing: readonly RecordTable[],
): Promise<TemporaryBan | null> {
  const limits = getLimits(actor, CREATE_PERMISSIONS.ban)
  if (change.action !== 'ban' || decideBan(limits, change.durationSeconds ?? null) !== 'approval') return null
  const { workspaceId, personId } = actor
  const now = ports.now()
  const current = existing.filter((row) => isInForce(row, now))
  for (const row of current) await assertNoPendingApproval(tx, row, now)
  if (current.some((row) => row.expires_at === null))
    throw new AppError('conflict', { message: 'This player is already banned permanently.' })
  const userIds = listPlayerKeys(change.userId, actor.platforms)
  const last = await tx.first(newestRequest, { workspaceId, personId, userIds })
  const resetsAt = (last?.requested_at ?? 0) + REPEAT_AFTER_MS
  if (last && resetsAt > now && ['rejected', 'expired'].includes(getApprovalState(last, now))) {
    throw createLimitError({
      limits,
      name: 'permanentBansNeedApproval',
      reason: 'needs_approval',
      resetsAt,
      message: `Your last request for a permanent ban of this player was not approved. Ask somebody who may ban permanently, or request it again from ${new Date(resetsAt).toISOString()}.`,
    })
  }
  const fallbackExpiresAt =
    current.length === 0 ? null : Math.max(...current.map((row) => row.expires_at ?? 0))
  const end = Math.max(now + (await findApprovalHours(tx, workspaceId)) * HOUR_MS, fallbackExpiresAt ?? 0)
  return { seconds: Math.ceil((end - now) / 1000), fallbackExpiresAt }
}

/** Stores the request for the approval of a ban that has just been created as a temporary one. */
export async function requestApproval(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: RecordTable,
  {
    requestedSeconds,
    fallbackExpiresAt,
  }: Pick<TemporaryBan, 'fallbackExpiresAt'> & { requestedSeconds: number | null },
): Promise<void> {
  await insertApproval(tx, {
    workspace_id: row.workspace_id,
    id: ports.newId(),
    record_id: row.id,
    user_id: row.user_id,
    duration_seconds: requestedSeconds,
    expires_at: row.expires_at ?? computeExpiry(row.created_at, row.duration_seconds) ?? 0,
    fallback_expires_at: fallbackExpiresAt,
    person_id: actor.personId,
    requested_at: row.created_at,
    decision: null,
    decided_at: null,
    decided_by: null,
  })
}
