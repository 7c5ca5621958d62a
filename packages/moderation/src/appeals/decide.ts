import {
  type Actor,
  AppError,
  type AppealDecision,
  assertVersion,
  DAY_MS,
  describeDecision,
  type ExpectedVersions,
  expiresBefore,
  forbidden,
  invalidRequest,
  type Ports,
  requireFields,
  SECOND_MS,
} from '@reeve/core'
import type { AppealTable, Queries, RecordTable, Transaction } from '@reeve/db'
import { assertNotClaimedByOther, releaseClaim } from '../claims/service.ts'
import { edit } from '../records/edit.ts'
import { lift } from '../records/lift.ts'
import { requireRecord } from '../records/record-store.ts'
import { computeExpiry } from '../records/sanction.ts'
import { createOwnBanFinder, findOtherBans } from './own-ban.ts'
import { formatUtcDeadline } from './player-message.ts'
import type { DecisionInput } from './portal-model.ts'
import { getAppealState, isOpen } from './rules.ts'
import { loadAppealSettings } from './settings.ts'
import { insertMessage, requireAppeal, updateAppeal } from './store.ts'

/** @throws AppError `conflict` naming the state of a closed appeal */
export function assertOpen(row: AppealTable, now: number): void {
  if (isOpen(row, now)) return
  throw new AppError('conflict', {
    message: `This appeal is closed: ${getAppealState(row, now).replace('_', ' ')}.`,
  })
}

/**
 * Decides an appeal, and lifts or shortens the ban in the same transaction. The permission to decide appeals is enough for that: it is
 * about bans that were appealed only.
 * @throws AppError `not_found`, `version_mismatch`, `invalid_request`; `forbidden` with reason `own_decision`; `conflict` if it is closed,
 *   or if somebody else has claimed it
 */
export async function decideAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DecisionInput & { readonly ifMatch: ExpectedVersions },
): Promise<AppealTable> {
  const { id, decision } = requireFields(input, 'id', 'decision')
  const { message } = input
  const before = await requireAppeal(tx, actor.workspaceId, id)
  assertVersion(before, input.ifMatch)
  const now = ports.now()
  assertOpen(before, now)
  const record = await requireRecord(tx, actor, before.record_id)
  const settings = await loadAppealSettings(tx, actor.workspaceId)
  if (settings.allows_own_decision === 0) await assertNotOwnBan(tx, actor, record, now)
  await assertNotClaimedByOther(tx, ports, actor, { kind: 'appeal', id })
  const expiresAt = readNewExpiry(record, decision, input)
  const isFinal = decision === 'denied' && input.final === true
  const nextAppealAt =
    decision === 'denied' && !isFinal && settings.cooldown_days > 0
      ? now + settings.cooldown_days * DAY_MS
      : null
  if (message) {
    await insertMessage(tx, ports, before, {
      author: 'staff',
      author_id: actor.id,
      is_internal: 0,
      text: message,
    })
  }
  // Closed before the ban changes, which would otherwise close it as expired.
  const after = await updateAppeal(tx, ports, actor, 'decide', before, {
    state: decision,
    closed_at: now,
    decided_at: now,
    waited_ms: now - before.submitted_at,
    decided_by: actor.id,
    effect: describeDecision(
      { decision, expiresAt, nextAppealAt, appealableUntil: record.appeal_until, isFinal },
      now,
      formatUtcDeadline,
    ),
    next_appeal_at: nextAppealAt,
    is_final: isFinal ? 1 : 0,
    ban_expires_at: decision === 'reduced' ? expiresAt : before.ban_expires_at,
    message_count: before.message_count + (message ? 1 : 0),
  })
  if (decision !== 'denied') {
    const bans = [record, ...(await findOtherBans(tx, actor, record, now))]
    await changeBans(tx, ports, actor, bans, decision, expiresAt)
  }
  await releaseClaim(tx, ports, actor, { kind: 'appeal', id })
  return after
}

/** When a reduced ban ends; otherwise its present end. @throws AppError `invalid_request` naming `durationSeconds` or `final` */
function readNewExpiry(
  record: RecordTable,
  decision: AppealDecision,
  { durationSeconds, final }: DecisionInput,
): number | null {
  if (final !== undefined && decision !== 'denied')
    throw invalidRequest({ field: 'final', message: 'is only used by denied' })
  if (decision !== 'reduced') {
    if (durationSeconds !== undefined)
      throw invalidRequest({ field: 'durationSeconds', message: 'is only used by reduced' })
    return record.expires_at
  }
  if (durationSeconds === undefined)
    throw invalidRequest({ field: 'durationSeconds', message: 'is required' })
  const expiresAt = computeExpiry(record.created_at, durationSeconds)
  if (!expiresBefore(expiresAt, record.expires_at))
    throw invalidRequest({ field: 'durationSeconds', message: 'must shorten the ban' })
  return expiresAt
}

/** @throws AppError `forbidden` with reason `own_decision` */
async function assertNotOwnBan(db: Queries, actor: Actor, record: RecordTable, now: number): Promise<void> {
  const own = await createOwnBanFinder(db, actor, now)(record)
  if (own === null) return
  const message =
    own.id === record.id
      ? undefined
      : `You imposed another ban of this player, case ${own.case_number}, so somebody else has to decide the appeal. A setting of the workspace allows otherwise.`
  throw forbidden('own_decision', message)
}

/**
 * The moderation action of a decision.
 * @param expiresAt when the bans end after a reduction
 * @throws AppError `conflict` if they would already have ended
 */
async function changeBans(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  bans: readonly RecordTable[],
  decision: 'accepted' | 'reduced',
  expiresAt: number | null,
): Promise<void> {
  const decider: Actor = { ...actor, permissions: new Set([...actor.permissions, 'moderation.unban']) }
  for (const { id, created_at, expires_at } of bans) {
    const change = { id, ifMatch: null }
    if (decision === 'accepted')
      await lift(tx, ports, decider, { ...change, action: 'unban', reason: 'Appeal accepted' })
    else if (expiresAt !== null && expiresBefore(expiresAt, expires_at)) {
      const durationSeconds = Math.ceil((expiresAt - created_at) / SECOND_MS)
      await edit(tx, ports, decider, { ...change, action: 'edit', durationSeconds })
    }
  }
}
