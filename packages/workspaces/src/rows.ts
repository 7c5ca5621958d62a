import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  normalizeName,
  type Ports,
} from '@reeve/core'
import { type ArchiveTable, type Queries, statement, type Transaction, type WorkspaceTable } from '@reeve/db'
import { shownWorkspace } from './model.ts'

const byId = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').selectAll().where('id', '=', p.workspaceId),
)
const update = statement<WorkspaceTable>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({
      group_name: p.group_name,
      group_key: p.group_key,
      archived_at: p.archived_at,
      updated_at: p.updated_at,
      version: p.version,
    })
    .where('id', '=', p.id),
)
const archiveById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('archive').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

/** The workspace the actor was admitted to. @throws AppError `not_found`, `version_mismatch` */
export async function workspaceOf(
  db: Queries,
  workspaceId: string,
  ifMatch: ExpectedVersions = null,
): Promise<WorkspaceTable> {
  const row = await db.first(byId, { workspaceId })
  if (!row) throw new AppError('not_found')
  assertVersion(row, ifMatch)
  return row
}

/** Who owns what the actor makes: an account itself; for a key, the owner of its workspace. */
export const ownerFor = async (db: Queries, actor: Actor): Promise<string> =>
  actor.kind === 'account' ? actor.id : (await workspaceOf(db, actor.workspaceId)).owner_id

/** An archive of a workspace. @throws AppError `not_found`, alike for none and for one of another workspace */
export async function archiveOf(db: Queries, workspaceId: string, id: string): Promise<ArchiveTable> {
  const row = await db.first(archiveById, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** Changes a workspace, writes it into the log beside what else is to be known of it, and tells who listens. */
export async function changeWorkspace(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: WorkspaceTable,
  change: Partial<Pick<WorkspaceTable, 'group_name' | 'archived_at'>> & {
    readonly verb: string
    readonly archives?: Readonly<Record<string, string>>
  },
): Promise<WorkspaceTable> {
  const { verb, archives = {}, ...columns } = change
  const after: WorkspaceTable = {
    ...before,
    ...columns,
    group_key: normalizeName(columns.group_name ?? before.group_name),
    updated_at: ports.now(),
    version: before.version + 1,
  }
  await tx.run(update, after)
  await appendAuditEntry(tx, ports, actor, {
    action: `workspaces.${verb}`,
    target: { kind: 'workspace', id: after.id },
    before: shownWorkspace(before),
    after: { ...shownWorkspace(after), ...archives },
  })
  tx.announce({ kind: 'workspace', workspaceId: after.id, id: after.id })
  return after
}
