import {
  type Actor,
  assertVersion,
  type ExpectedVersions,
  type Ports,
  requireFields,
  requirePermission,
} from '@reeve/core'
import type { AppealTable, Transaction } from '@reeve/db'
import { releaseClaim, takeClaim } from '../claims/service.ts'
import { assertOpen } from './decide.ts'
import type { StaffMessageInput } from './portal-model.ts'
import { insertMessage, requireAppeal, updateAppeal } from './store.ts'

interface AppealIdInput {
  readonly id?: string
  readonly ifMatch: ExpectedVersions
}

/**
 * Claims an appeal, or renews the claim. The player sees from then on that it is under review.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` if it is closed or another person has claimed it
 */
export async function claimAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: AppealIdInput,
): Promise<AppealTable> {
  const { id } = requireFields(input, 'id')
  const appeal = await requireAppeal(tx, actor.workspaceId, id)
  assertVersion(appeal, input.ifMatch)
  assertOpen(appeal, ports.now())
  await takeClaim(tx, ports, actor, { kind: 'appeal', id })
  tx.announce({ kind: 'appeal', workspaceId: actor.workspaceId, id })
  return appeal.state === 'submitted'
    ? updateAppeal(tx, ports, actor, 'review', appeal, { state: 'under_review' })
    : appeal
}

/** Ends the actor's claim. @throws AppError `not_found`, `version_mismatch` */
export async function releaseAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: AppealIdInput,
): Promise<AppealTable> {
  const { id } = requireFields(input, 'id')
  const appeal = await requireAppeal(tx, actor.workspaceId, id)
  assertVersion(appeal, input.ifMatch)
  await releaseClaim(tx, ports, actor, { kind: 'appeal', id })
  tx.announce({ kind: 'appeal', workspaceId: actor.workspaceId, id })
  return appeal
}

/**
 * Adds a message of staff: an internal one, or one that the player reads.
 * @throws AppError `not_found`, `version_mismatch`; `forbidden` if the player would read it and the actor may not decide appeals;
 *   `conflict` if the appeal is closed and the player would read it, or it has too many messages
 */
export async function addStaffMessage(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: StaffMessageInput & { readonly ifMatch: ExpectedVersions },
): Promise<AppealTable> {
  const { id, text } = requireFields(input, 'id', 'text')
  const isInternal = input.internal ?? true
  if (!isInternal) requirePermission(actor, 'appeals.decide')
  const appeal = await requireAppeal(tx, actor.workspaceId, id)
  assertVersion(appeal, input.ifMatch)
  if (!isInternal) assertOpen(appeal, ports.now())
  await insertMessage(tx, ports, appeal, {
    author: 'staff',
    author_id: actor.id,
    is_internal: isInternal ? 1 : 0,
    text,
  })
  return updateAppeal(tx, ports, actor, isInternal ? 'note' : 'message', appeal, {
    message_count: appeal.message_count + 1,
    ...(!isInternal && { state: 'under_review' as const }),
  })
}
