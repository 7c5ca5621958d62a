import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  normalizeName,
  type Ports,
} from '@reeve/core'
import {
  type ArchiveTable,
  type Queries,
  statement,
  type Transaction,
  updateAll,
  type WorkspaceTable,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { presentWorkspace } from './model.ts'

const workspaceById = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').selectAll().where('id', '=', p.workspaceId).where('hidden', 'is', null),
)
/** `workspaceId` selects the lock of the transaction. */
const updateWorkspace = statement<WorkspaceTable & { workspaceId: string }>()((sql, p) =>
  updateAll(sql, 'workspace', p, {
    key: ['id'],
    except: ['owner_id', 'created_by', 'created_at', 'monthly_quota', 'storage_quota'],
  }),
)
const archiveById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('archive')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)

const markArchiveDeleted = statement<{ workspaceId: string; id: string; now: number }>()((sql, p) =>
  sql
    .updateTable('archive')
    .set((eb) => ({ deleted_at: p.now, size_bytes: eb.lit(0) }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Reads the workspace that the request was authorized for. @throws AppError `not_found`, `version_mismatch` */
export async function requireWorkspace(
  db: Queries,
  workspaceId: string,
  ifMatch: ExpectedVersions = null,
): Promise<WorkspaceTable> {
  const row = await db.first(workspaceById, { workspaceId })
  if (!row) throw new AppError('not_found')
  assertVersion(row, ifMatch)
  return row
}

/** The owner of workspaces that the actor creates: the account itself, or for an API key the owner of its workspace. */
export const resolveOwnerId = async (db: Queries, actor: Actor): Promise<string> =>
  actor.kind === 'account' ? actor.id : (await requireWorkspace(db, actor.workspaceId)).owner_id

/** Reads an archive of a workspace. @throws AppError `not_found`, also for an archive of another workspace */
export async function requireArchive(db: Queries, workspaceId: string, id: string): Promise<ArchiveTable> {
  const row = await db.first(archiveById, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** Reads an archive that is to be used. @throws AppError `not_found`, `conflict` while it is not complete */
export async function requireReadyArchive(
  db: Queries,
  workspaceId: string,
  id: string,
): Promise<ArchiveTable> {
  const archive = await requireArchive(db, workspaceId, id)
  assertReady(archive)
  return archive
}

/** @throws AppError `conflict` while the archive is not complete */
export function assertReady({ ready_at }: Pick<ArchiveTable, 'ready_at'>): void {
  if (ready_at === null)
    throw new AppError('conflict', { message: 'The archive is not complete yet: wait for its job.' })
}

/** Makes an archive disappear. Its bytes no longer count as storage, and `deleteLeftovers` deletes them. */
export async function hideArchive(
  tx: Transaction,
  ports: Ports,
  { workspace_id: workspaceId, id, size_bytes }: ArchiveTable,
): Promise<void> {
  await tx.run(markArchiveDeleted, { workspaceId, id, now: ports.now() })
  await changeStorage(tx, workspaceId, 'archives', -size_bytes)
}

/** Updates a workspace, records the change with further details in the audit log, and announces it. */
export async function changeWorkspace(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  change: Partial<
    Pick<
      WorkspaceTable,
      'group_name' | 'archived_at' | 'delete_at' | 'profile_url' | 'approval_hours' | 'platforms'
    >
  > & {
    readonly action: string
    readonly auditDetails?: Readonly<Record<string, string>>
  },
): Promise<WorkspaceTable> {
  const { action, auditDetails = {}, ...columns } = change
  const after: WorkspaceTable = {
    ...before,
    ...columns,
    group_key: normalizeName(columns.group_name ?? before.group_name),
    updated_at: ports.now(),
    version: before.version + 1,
  }
  await tx.run(updateWorkspace, { ...after, workspaceId: after.id })
  await appendAuditEntry(tx, ports, actor, {
    action: `workspaces.${action}`,
    target: { kind: 'workspace', id: after.id },
    before: presentWorkspace(before),
    after: { ...presentWorkspace(after), ...auditDetails },
  })
  tx.announce({ kind: 'workspace', workspaceId: after.id, id: after.id })
  return after
}
