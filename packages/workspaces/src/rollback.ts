import { type Actor, AppError, type Ports } from '@reeve/core'
import { removeSomePlayerNames, type Transaction, type WorkspaceTable, yieldToEventLoop } from '@reeve/db'
import { type ContentTable, contentTables, deleteRows, keyAfterBatch } from './archive/content.ts'
import { openArchive } from './archive/reader.ts'
import { loadRedactions } from './archive/redactions.ts'
import { restoreContent } from './archive/restore.ts'
import { writeArchive } from './archive/writer.ts'
import { assertCanGrantGains, loadMemberGrants } from './grants.ts'
import { presentArchive, presentWorkspace } from './model.ts'
import { changeWorkspace, requireArchive } from './workspace-store.ts'

/**
 * Rolls an archived workspace back to one of its archives and makes it active again. Archives its current content first.
 * Roles, members, endpoint controls, the profile link and, unless a name is given, the name become those of the archive. The owner, API keys
 * and redactions stay. Case numbers and the change counter continue. No one gains more than the actor can grant.
 * @throws AppError `not_found` for an archive of another workspace, `conflict`, `forbidden`
 */
export async function rollBack(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  input: { readonly fromArchive: string; readonly groupName?: string | undefined },
) {
  const workspaceId = before.id
  const archive = await requireArchive(tx, workspaceId, input.fromArchive)
  if (before.archived_at === null) {
    throw new AppError('conflict', {
      message: 'Only an archived workspace can be rolled back. Archive it first.',
    })
  }
  const reader = await openArchive(tx, archive)
  const grantsBefore = await loadMemberGrants(tx, workspaceId)
  const redactions = await loadRedactions(tx, workspaceId)
  const newArchive = await writeArchive(tx, ports, actor, before)
  for (const table of contentTables.toReversed()) await clearTable(tx, workspaceId, table)
  while (await removeSomePlayerNames(tx, workspaceId)) await yieldToEventLoop()
  await restoreContent(tx, reader, { workspaceId, ownerId: before.owner_id, now: ports.now() }, redactions)
  assertCanGrantGains(actor, grantsBefore, await loadMemberGrants(tx, workspaceId))
  // Everything may have changed, so subscribers of every kind are notified.
  for (const kind of ['record', 'department', 'event', 'role', 'member', 'endpoint_control'] as const) {
    tx.announce({ kind, workspaceId, id: workspaceId })
  }
  const after = await changeWorkspace(tx, ports, actor, before, {
    action: 'roll_back',
    archived_at: null,
    group_name: input.groupName ?? archive.group_name,
    profile_url: reader.header.profileUrl === undefined ? before.profile_url : reader.header.profileUrl,
    auditDetails: { fromArchive: archive.id, archiveId: newArchive.id, sha256: newArchive.sha256 },
  })
  return { workspace: presentWorkspace(after), archive: presentArchive(newArchive) }
}

/** Deletes a workspace's rows from a table in batches, so that other requests can run in between. */
async function clearTable(tx: Transaction, workspaceId: string, table: ContentTable): Promise<void> {
  for (;;) {
    const batchEnd = await tx.first(keyAfterBatch({ table }), { workspaceId })
    await tx.run(deleteRows({ table, all: !batchEnd }), { workspaceId, last: batchEnd?.key ?? '' })
    if (!batchEnd) return
    await yieldToEventLoop()
  }
}
