import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import {
  type Actor,
  AppError,
  forbidden,
  invalidRequest,
  OWNER_RANK,
  type Ports,
  requireFields,
  toDeletionTime,
} from '@reeve/core'
import type { Transaction, WorkspaceTable } from '@reeve/db'
import { assertArchivedStateNotNeeded } from '../jobs/job-store.ts'
import { presentWorkspace } from '../model.ts'
import { changeWorkspace, requireWorkspace } from '../workspace-store.ts'
import { assertNotPendingDeletion } from './schedule.ts'

/**
 * Requests the deletion of an archived workspace, which happens after `DELETION_UNDO_DAYS`. Only for the owner.
 * @param input.groupName its name, as a confirmation
 * @throws AppError `forbidden` (`insufficient_rank`), `invalid_request`; `conflict` unless it is archived and no job needs it
 */
export async function requestDeletion(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly groupName?: string },
) {
  assertOwner(actor)
  const { groupName } = requireFields(input, 'groupName')
  const before = await requireWorkspace(tx, actor.workspaceId)
  if (groupName !== before.group_name)
    throw invalidRequest({ field: 'groupName', message: 'must be the name of the workspace' })
  assertNotPendingDeletion(before)
  if (before.archived_at === null)
    throw new AppError('conflict', { message: 'Archive the workspace before you delete it.' })
  await assertArchivedStateNotNeeded(tx, before.id)
  return changeDeletion(tx, ports, actor, before, 'request_deletion', toDeletionTime(ports.now()))
}

/**
 * Undoes the request to delete a workspace, which stays archived.
 * @throws AppError `forbidden` (`insufficient_rank`) for anyone but the owner and operators; `conflict` if nobody has requested it
 */
export async function undoDeletion(tx: Transaction, ports: Ports, actor: Actor) {
  if (!actor.isOperator) assertOwner(actor)
  const before = await requireWorkspace(tx, actor.workspaceId)
  if (before.delete_at === null)
    throw new AppError('conflict', { message: 'Nobody has requested to delete this workspace.' })
  return changeDeletion(tx, ports, actor, before, 'undo_deletion', null)
}

function assertOwner(actor: Actor): void {
  if (actor.rank < OWNER_RANK)
    throw forbidden('insufficient_rank', 'Only the owner of the workspace can delete it, or undo that.')
}

/** The instance gets the entry too, because that of the workspace is deleted with it. */
async function changeDeletion(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  action: string,
  deleteAt: number | null,
) {
  const after = await changeWorkspace(tx, ports, actor, before, { action, delete_at: deleteAt })
  await appendAuditEntry(tx, ports, actor, {
    action: `workspaces.${action}`,
    target: { kind: 'workspace', id: before.id },
    before: presentWorkspace(before),
    after: presentWorkspace(after),
    chain: INSTANCE_CHAIN,
  })
  return { workspace: presentWorkspace(after) }
}
