import { type Actor, type Ports, type RecordAction, redactedTexts } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { decideAppealTerms, NOT_APPEALABLE } from '../appeals/terms.ts'
import { planTemporaryBan, requestApproval } from '../approvals/request.ts'
import { supersedeApproval } from '../approvals/store.ts'
import { takePendingFiles } from '../evidence-files/pending.ts'
import { toEvidenceFileColumns } from '../evidence-files/stored-files.ts'
import { assertCanCreate, assertDuration, chooseSeverity } from '../limits/assert-limits.ts'
import { addRecentBan, assertBansPerHour } from '../limits/recent-bans.ts'
import type { TemplateColumns } from '../templates/resolve.ts'
import { assertReplaces } from './assert-replaces.ts'
import { chooseActorName, NOT_REVOKED, toRecordColumns } from './columns.ts'
import type { ModerationChange } from './parse-change.ts'
import { findSanctions, findStoredForm, insertRecord, updateRecord } from './record-store.ts'
import { assertCanChangeExpiry, computeExpiry, hasExpired } from './sanction.ts'

/** The columns of imports, in a record that was created here. */
const notImported = { occurred_at: null, original_moderator: null, source: null, source_id: null } as const

/**
 * Creates a note, warning, kick, mute or ban.
 * @param template what the record stores of its template
 * @throws AppError `forbidden` as `assertCanCreate`, and as `takePendingFiles`
 */
export async function createRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<RecordAction>,
  template: TemplateColumns,
): Promise<RecordTable> {
  const { action } = change
  const now = ports.now()
  const severity = change.severity ?? chooseSeverity(actor, action)
  const { userId, evidenceFiles = [] } = change
  const id = ports.newId()
  const files = await takePendingFiles(tx, ports, actor, id, evidenceFiles)
  const evidenceCount = (change.evidence?.length ?? 0) + files.length
  await assertCanCreate(tx, actor, { action, userId, severity, evidenceCount })
  const isSanction = change.action === 'mute' || change.action === 'ban'
  const terms =
    action === 'ban'
      ? await decideAppealTerms(tx, ports, actor.workspaceId, template.template_id)
      : NOT_APPEALABLE
  const seconds = isSanction ? (change.durationSeconds ?? null) : null
  return insertRecord(
    tx,
    ports,
    actor,
    { auditAction: action, change },
    {
      workspace_id: actor.workspaceId,
      id,
      action,
      user_id: await findStoredForm(tx, actor, userId),
      user_username: null,
      // A new record starts with the texts of a redacted one: none.
      ...redactedTexts,
      severity,
      ...toRecordColumns(change),
      ...toEvidenceFileColumns(files),
      duration_seconds: seconds,
      expires_at: computeExpiry(now, seconds),
      ended: null,
      in_force: isSanction ? 1 : 0,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_username: chooseActorName(actor, change),
      actor_platform_user_id: change.actorPlatformUserId ?? null,
      created_at: now,
      updated_at: now,
      acknowledged_at: null,
      ...NOT_REVOKED,
      redacted_at: null,
      ...notImported,
      ...terms,
      ...template,
      version: 1,
    },
  )
}

/**
 * Bans or mutes a player. The new sanction replaces an active one of the same kind: a player has at most one ban and one
 * mute in force. A ban that needs approval becomes a temporary one, which waits for the decision of another person.
 * @throws AppError `forbidden` if the new one would end sooner and the actor may not lift the old one, if it exceeds a limit of
 *   the actor, or as `assertCanCreate`; `conflict` and `version_mismatch` as `assertReplaces`, `conflict` as `planTemporaryBan`
 */
export async function imposeSanction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'ban' | 'mute'>,
  template: TemplateColumns,
): Promise<RecordTable> {
  const now = ports.now()
  const all = await findSanctions(tx, actor, change.action, change.userId)
  const current = all.filter((existing) => !hasExpired(existing, now))
  await assertReplaces(tx, actor, change, current, now)
  const requestedSeconds = change.durationSeconds ?? null
  const temporary = await planTemporaryBan(tx, ports, actor, change, all)
  if (!temporary) assertDuration(actor, change.action, requestedSeconds)
  if (change.action === 'ban') await assertBansPerHour(tx, actor, now)
  for (const existing of all) {
    const expired = hasExpired(existing, now)
    if (!expired) {
      assertCanChangeExpiry(actor, existing, computeExpiry(now, requestedSeconds))
      await supersedeApproval(tx, existing, now, actor.id)
    }
    const [ended, auditAction] = expired
      ? (['expired', 'expire'] as const)
      : (['superseded', 'supersede'] as const)
    await updateRecord(tx, ports, actor, { auditAction, change }, existing, { in_force: 0, ended })
  }
  const imposed = { ...change, ...(temporary && { durationSeconds: temporary.seconds }) }
  const row = await createRecord(tx, ports, actor, imposed, template)
  if (change.action === 'ban') await addRecentBan(tx, actor, row.id, now)
  if (temporary) await requestApproval(tx, ports, actor, row, { ...temporary, requestedSeconds })
  return row
}
