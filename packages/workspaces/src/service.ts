import { type AppContext, assertCanCreateWorkspace, type WorkspaceLimits } from '@reeve/auth'
import {
  type Actor,
  AppError,
  assertNoVersion,
  type ExpectedVersions,
  missingFields,
  type Ports,
} from '@reeve/core'
import type { Transaction, WorkspaceTable } from '@reeve/db'
import { parseAction } from './action.ts'
import { copyFromArchive } from './copy-from-archive.ts'
import { createWorkspace } from './create.ts'
import { assertNotPendingDeletion } from './deletion/schedule.ts'
import { assertArchivedStateNotNeeded } from './jobs/job-store.ts'
import { presentJob } from './jobs/model.ts'
import { assertCanStartJob, type JobPorts, startJob } from './jobs/start-job.ts'
import { insertPreparingArchive } from './jobs/write-archive.ts'
import { presentArchive, presentWorkspace, type WorkspaceInput } from './model.ts'
import { startRollBack } from './start-roll-back.ts'
import { changeWorkspace, requireWorkspace, resolveOwnerId } from './workspace-store.ts'

export type WorkspaceChange = WorkspaceInput & { ifMatch: ExpectedVersions }

/**
 * Applies the action of a request: `create`, `rename`, `archive` or `restore`.
 * @returns the workspace, and the archive and the job if it started one
 * @throws AppError `invalid_request`, `forbidden`, `not_found`, `conflict`, `version_mismatch`, `rate_limited`
 */
export async function applyWorkspaceAction(
  tx: Transaction,
  context: Pick<AppContext, 'ports' | 'settings' | 'storage'>,
  actor: Actor,
  input: WorkspaceChange,
) {
  const { ports, settings } = context
  const action = parseAction(input)
  if (action === 'create' || (action === 'restore' && input.id === undefined)) {
    assertNoVersion(input.ifMatch)
    return action === 'create'
      ? create(tx, ports, settings, actor, input)
      : copyFromArchive(tx, context, actor, input)
  }
  const before = await requireWorkspace(tx, actor.workspaceId, input.ifMatch)
  if (action === 'rename') return rename(tx, ports, actor, before, input)
  if (action === 'archive') return archive(tx, context, actor, before)
  return input.fromArchive === undefined
    ? restore(tx, ports, actor, before)
    : startRollBack(tx, context, actor, before, { ...input, fromArchive: input.fromArchive })
}

/** The signed-in account becomes the owner; for an API key, the owner of its workspace does. */
async function create(
  tx: Transaction,
  ports: Ports,
  limits: WorkspaceLimits,
  actor: Actor,
  { groupName }: WorkspaceChange,
) {
  if (groupName === undefined) throw missingFields('groupName')
  const ownerId = await resolveOwnerId(tx, actor)
  await assertCanCreateWorkspace(tx, limits, ownerId)
  const { workspace } = await createWorkspace(tx, ports, actor, { groupName, ownerId })
  return { workspace: presentWorkspace(workspace) }
}

async function rename(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  { groupName }: WorkspaceChange,
) {
  if (groupName === undefined) throw missingFields('groupName')
  if (groupName === before.group_name) return { workspace: presentWorkspace(before) }
  const after = await changeWorkspace(tx, ports, actor, before, { action: 'rename', group_name: groupName })
  return { workspace: presentWorkspace(after) }
}

/** Makes the workspace read-only at once, and starts the job that writes its archive. */
async function archive(tx: Transaction, context: JobPorts, actor: Actor, before: WorkspaceTable) {
  await assertArchivedStateNotNeeded(tx, before.id)
  if (before.archived_at !== null) {
    throw new AppError('conflict', { message: 'The workspace is already archived.' })
  }
  await assertCanStartJob(tx, context, before.id)
  const { ports } = context
  const newArchive = await insertPreparingArchive(tx, ports, actor, before)
  const after = await changeWorkspace(tx, ports, actor, before, {
    action: 'archive',
    archived_at: ports.now(),
    auditDetails: { archiveId: newArchive.id },
  })
  const job = await startJob(tx, context, actor, {
    kind: 'archive',
    workspaceId: before.id,
    new_archive_id: newArchive.id,
  })
  return {
    workspace: presentWorkspace(after),
    archive: presentArchive(newArchive),
    job: await presentJob(tx, job),
  }
}

async function restore(tx: Transaction, ports: Ports, actor: Actor, before: WorkspaceTable) {
  assertNotPendingDeletion(before)
  await assertArchivedStateNotNeeded(tx, before.id)
  if (before.archived_at === null) {
    throw new AppError('conflict', { message: 'The workspace is not archived.' })
  }
  const after = await changeWorkspace(tx, ports, actor, before, { action: 'restore', archived_at: null })
  return { workspace: presentWorkspace(after) }
}
