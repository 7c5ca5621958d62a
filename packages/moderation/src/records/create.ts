import { type Actor, DEFAULT_SEVERITY, type Ports, type RecordAction, redactedTexts } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { toRecordColumns } from './model.ts'
import type { ModerationChange } from './parse-change.ts'
import { findSanction, insertRecord, updateRecord } from './record-store.ts'
import { assertCanChangeExpiry, computeExpiry, hasExpired } from './sanction.ts'

/** Creates a note, warning, kick, mute or ban. */
export async function createRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<RecordAction>,
): Promise<RecordTable> {
  const { action } = change
  const now = ports.now()
  const isSanction = change.action === 'mute' || change.action === 'ban'
  const seconds = isSanction ? (change.durationSeconds ?? null) : null
  return insertRecord(
    tx,
    ports,
    actor,
    { auditAction: action, change },
    {
      workspace_id: actor.workspaceId,
      id: ports.newId(),
      action,
      user_id: change.userId,
      user_username: null,
      // A new record starts with the texts of a redacted one: none.
      ...redactedTexts,
      severity: DEFAULT_SEVERITY[action],
      ...toRecordColumns(change),
      duration_seconds: seconds,
      expires_at: computeExpiry(now, seconds),
      ended: null,
      in_force: isSanction ? 1 : 0,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_username: change.actorUsername || actor.name,
      actor_platform_user_id: change.actorPlatformUserId ?? null,
      created_at: now,
      updated_at: now,
      acknowledged_at: null,
      revoked_at: null,
      revoked_by: null,
      redacted_at: null,
      version: 1,
    },
  )
}

/**
 * Bans or mutes a player. The new sanction replaces an active one of the same kind: a player has at most one ban and one
 * mute in force.
 * @throws AppError `forbidden` if the new one would end sooner and the actor may not lift the old one
 */
export async function imposeSanction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'ban' | 'mute'>,
): Promise<RecordTable> {
  const now = ports.now()
  const existing = await findSanction(tx, actor, change.action, change.userId)
  if (existing) {
    const expired = hasExpired(existing, now)
    if (!expired) assertCanChangeExpiry(actor, existing, computeExpiry(now, change.durationSeconds ?? null))
    const [ended, auditAction] = expired
      ? (['expired', 'expire'] as const)
      : (['superseded', 'supersede'] as const)
    await updateRecord(tx, ports, actor, { auditAction, change }, existing, { in_force: 0, ended })
  }
  return createRecord(tx, ports, actor, change)
}
