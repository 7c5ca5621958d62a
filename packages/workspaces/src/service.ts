import {
  type Actor,
  AppError,
  type ExpectedVersions,
  missingFields,
  type Ports,
  requirePermission,
} from '@reeve/core'
import type { Transaction, WorkspaceTable } from '@reeve/db'
import { actionOf, permissionFor } from './action.ts'
import { restoreCopy } from './copy.ts'
import { createWorkspace } from './create.ts'
import { shownArchive, shownWorkspace, type WorkspaceInput } from './model.ts'
import { rollBack } from './rollback.ts'
import { changeWorkspace, ownerFor, workspaceOf } from './rows.ts'
import { sealArchive } from './seal.ts'

export type WorkspaceChange = WorkspaceInput & { ifMatch: ExpectedVersions }

/**
 * Carries out the action of a request: `create`, `rename`, `archive` or `restore`.
 * @returns the workspace; where what it held was sealed, the archive as well
 * @throws AppError `invalid_request`, `forbidden`, `not_found`, `conflict`, `version_mismatch`
 */
export async function applyWorkspaceAction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: WorkspaceChange,
) {
  const action = actionOf(input)
  // The gate has asked for this already, by the fields as they came; here it is by what they were read as.
  if (actor.workspaceId !== '') requirePermission(actor, permissionFor[action])
  if (action === 'create') return create(tx, ports, actor, input)
  if (action === 'restore' && input.id === undefined) return restoreCopy(tx, ports, actor, input)
  const before = await workspaceOf(tx, actor.workspaceId, input.ifMatch)
  if (action === 'rename') return rename(tx, ports, actor, before, input)
  if (action === 'archive') return archive(tx, ports, actor, before)
  return input.fromArchive === undefined
    ? restore(tx, ports, actor, before)
    : rollBack(tx, ports, actor, before, { ...input, fromArchive: input.fromArchive })
}

/** A session becomes the owner of what it makes; for a key, its workspace's owner does. */
async function create(tx: Transaction, ports: Ports, actor: Actor, { groupName }: WorkspaceChange) {
  if (groupName === undefined) throw missingFields('groupName')
  const ownerId = await ownerFor(tx, actor)
  const { workspace } = await createWorkspace(tx, ports, actor, { groupName, ownerId })
  return { workspace: shownWorkspace(workspace) }
}

async function rename(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  { groupName }: WorkspaceChange,
) {
  if (groupName === undefined) throw missingFields('groupName')
  const after = await changeWorkspace(tx, ports, actor, before, { verb: 'rename', group_name: groupName })
  return { workspace: shownWorkspace(after) }
}

async function archive(tx: Transaction, ports: Ports, actor: Actor, before: WorkspaceTable) {
  if (before.archived_at !== null) {
    throw new AppError('conflict', { message: 'The workspace is archived already.' })
  }
  const sealed = await sealArchive(tx, ports, actor, before)
  const after = await changeWorkspace(tx, ports, actor, before, {
    verb: 'archive',
    archived_at: ports.now(),
    archives: { archiveId: sealed.id, sha256: sealed.sha256 },
  })
  return { workspace: shownWorkspace(after), archive: shownArchive(sealed) }
}

async function restore(tx: Transaction, ports: Ports, actor: Actor, before: WorkspaceTable) {
  if (before.archived_at === null) {
    throw new AppError('conflict', { message: 'The workspace is not archived.' })
  }
  const after = await changeWorkspace(tx, ports, actor, before, { verb: 'restore', archived_at: null })
  return { workspace: shownWorkspace(after) }
}
