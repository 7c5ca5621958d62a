import type { Actor, Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { type Change, given } from './change.ts'
import { endOf, isOver, needToMoveEnd, type Restraint } from './force.ts'
import { addRow, changeRow, named, restraintOn, takeCaseNumber } from './rows.ts'

const DEFAULT_SEVERITY = { note: 'low', warn: 'low', kick: 'medium', mute: 'medium', ban: 'high' } as const

/** Adds a record: a note, a warning, a kick, or the beginning of a restraint. */
export async function record(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: RecordTable['action'],
  change: Change,
): Promise<RecordTable> {
  const now = ports.now()
  const restrains = action === 'mute' || action === 'ban'
  const seconds = restrains ? (change.durationSeconds ?? null) : null
  return addRow(
    tx,
    ports,
    actor,
    { verb: action, change },
    {
      workspace_id: actor.workspaceId,
      id: ports.newId(),
      case_number: await takeCaseNumber(tx, actor),
      action,
      user_id: given(change, 'userId'),
      ...named(change.userUsername),
      reason: given(change, 'reason'),
      severity: change.severity ?? DEFAULT_SEVERITY[action],
      evidence: JSON.stringify(change.evidence ?? []),
      comments: '[]',
      duration_seconds: seconds,
      expires_at: endOf(now, seconds),
      ended: null,
      in_force: restrains ? 1 : 0,
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
export async function restrain(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: Restraint['action'],
  change: Change,
): Promise<RecordTable> {
  const now = ports.now()
  const held = await restraintOn(tx, actor, action, given(change, 'userId'))
  if (held) {
    const over = isOver(held, now)
    if (!over) needToMoveEnd(actor, held, endOf(now, change.durationSeconds ?? null))
    const [ended, verb] = over ? (['expired', 'expire'] as const) : (['superseded', 'supersede'] as const)
    await changeRow(tx, ports, actor, { verb, change }, held, { in_force: 0, ended })
  }
  return record(tx, ports, actor, action, change)
}
