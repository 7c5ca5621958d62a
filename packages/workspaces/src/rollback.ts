import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Transaction, WorkspaceTable } from '@reeve/db'
import { type ContentTable, contentTables, dropRows, keyAfterStep } from './content.ts'
import { holdingsIn, needToHaveGranted } from './grants.ts'
import { shownArchive, shownWorkspace } from './model.ts'
import { breathe } from './pack.ts'
import { putContent } from './put.ts'
import { redactionsIn } from './redacted.ts'
import { archiveOf, changeWorkspace } from './rows.ts'
import { sealArchive } from './seal.ts'
import { unseal } from './unseal.ts'

/**
 * Rolls an archived workspace back to one of its own archives and takes it back into use; what it held is sealed first.
 * Roles, members, endpoint controls and, unless another is given, the name become those of the archive. The owner stays
 * the owner, API keys stay, redactions stay, case numbers and the change counter go on from where they are, and nobody
 * gains more than the actor may grant.
 * @throws AppError `not_found` for an archive that is not of this workspace, `conflict`, `forbidden`
 */
export async function rollBack(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  input: { readonly fromArchive: string; readonly groupName?: string | undefined },
) {
  const workspaceId = before.id
  const archive = await archiveOf(tx, workspaceId, input.fromArchive)
  if (before.archived_at === null) {
    throw new AppError('conflict', {
      message: 'Only an archived workspace can be rolled back: archive it first.',
    })
  }
  const unsealed = await unseal(tx, archive)
  const held = await holdingsIn(tx, workspaceId)
  const redactions = await redactionsIn(tx, workspaceId)
  const sealed = await sealArchive(tx, ports, actor, before)
  for (const table of contentTables.toReversed()) await empty(tx, workspaceId, table)
  await putContent(tx, unsealed, { workspaceId, ownerId: before.owner_id, now: ports.now() }, redactions)
  needToHaveGranted(actor, held, await holdingsIn(tx, workspaceId))
  // All of it may be other than it was: whoever follows one kind of it is told.
  for (const kind of ['record', 'department', 'event', 'role', 'member', 'endpoint_control'] as const) {
    tx.announce({ kind, workspaceId, id: workspaceId })
  }
  const after = await changeWorkspace(tx, ports, actor, before, {
    verb: 'roll_back',
    archived_at: null,
    group_name: input.groupName ?? archive.group_name,
    archives: { fromArchive: archive.id, archiveId: sealed.id, sha256: sealed.sha256 },
  })
  return { workspace: shownWorkspace(after), archive: shownArchive(sealed) }
}

/** Empties a table of a workspace step by step, so that other calls have their turn in between. */
async function empty(tx: Transaction, workspaceId: string, table: ContentTable): Promise<void> {
  for (;;) {
    const step = await tx.first(keyAfterStep({ table }), { workspaceId })
    await tx.run(dropRows({ table, all: !step }), { workspaceId, last: step?.key ?? '' })
    if (!step) return
    await breathe()
  }
}
