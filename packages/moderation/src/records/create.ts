import { type Actor, DEFAULT_SEVERITY, isSanctionKind, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { type ModerationChange, requireField } from './parse-change.ts'
import {
  allocateCaseNumber,
  findSanction,
  insertRecord,
  playerNameColumns,
  updateRecord,
} from './record-store.ts'
import { assertCanChangeExpiry, computeExpiry, hasExpired, type Sanction } from './sanction.ts'

/** Adds a record: a note, a warning, a kick, or the beginning of a restraint. */
export async function createRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: RecordTable['action'],
  change: ModerationChange,
): Promise<RecordTable> {
  const now = ports.now()
  const isSanctionAction = isSanctionKind(action)
  const seconds = isSanctionAction ? (change.durationSeconds ?? null) : null
  return insertRecord(
    tx,
    ports,
    actor,
    { auditAction: action, change },
    {
      workspace_id: actor.workspaceId,
      id: ports.newId(),
      case_number: await allocateCaseNumber(tx, actor),
      action,
      user_id: requireField(change, 'userId'),
      ...playerNameColumns(change.userUsername),
      reason: requireField(change, 'reason'),
      severity: change.severity ?? DEFAULT_SEVERITY[action],
      evidence: JSON.stringify(change.evidence ?? []),
      comments: '[]',
      duration_seconds: seconds,
      expires_at: computeExpiry(now, seconds),
      ended: null,
      in_force: isSanctionAction ? 1 : 0,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_username: change.actorUsername || actor.name,
      actor_platform_user_id: change.actorPlatformUserId ?? null,
      created_at: now,
      updated_at: now,
      acknowledged_at: null,
      revoked_at: null,
      revoked_by: null,
      revoke_reason: null,
      redacted_at: null,
      version: 1,
    },
  )
}

/**
 * Bans or mutes a player. One that is in force gives way: a player is held by one ban and one mute at the most.
 * @throws AppError `forbidden` where the new one would end sooner and the actor may not lift the old one
 */
export async function imposeSanction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: Sanction['action'],
  change: ModerationChange,
): Promise<RecordTable> {
  const now = ports.now()
  const existing = await findSanction(tx, actor, action, requireField(change, 'userId'))
  if (existing) {
    const expired = hasExpired(existing, now)
    if (!expired) assertCanChangeExpiry(actor, existing, computeExpiry(now, change.durationSeconds ?? null))
    const [ended, auditAction] = expired
      ? (['expired', 'expire'] as const)
      : (['superseded', 'supersede'] as const)
    await updateRecord(tx, ports, actor, { auditAction, change }, existing, { in_force: 0, ended })
  }
  return createRecord(tx, ports, actor, action, change)
}
