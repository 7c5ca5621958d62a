import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertSetsField,
  assertVersion,
  type ExpectedVersions,
  hasPermission,
  type Ports,
  requireFields,
  requirePermission,
} from '@reeve/core'
import {
  insertAll,
  isSameRow,
  type Queries,
  type SavedViewTable,
  statement,
  type Transaction,
  updateAll,
} from '@reeve/db'
import {
  type NewSavedViewInput,
  presentSavedView,
  type SavedViewPatchInput,
  toAuditSnapshot,
} from './model.ts'

type ViewKey = { workspaceId: string; id: string }

const viewById = statement<ViewKey>()((sql, p) =>
  sql.selectFrom('saved_view').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const viewsByAccount = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql
    .selectFrom('saved_view')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId),
)
const sharedViews = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('saved_view')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb('is_shared', '=', eb.lit(1))),
)
const insertView = statement<SavedViewTable>()((sql, p) => insertAll(sql, 'saved_view', p))
const updateView = statement<SavedViewTable>()((sql, p) =>
  updateAll(sql, 'saved_view', p, { key: ['workspace_id', 'id'], except: ['created_at'] }),
)
const deleteView = statement<ViewKey>()((sql, p) =>
  sql.deleteFrom('saved_view').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

/** Maximum number of saved views per person, and of shared ones per workspace. */
const MAX_SAVED_VIEWS = 50

/** Required to change the shared views of others. */
const MANAGE_PERMISSION = 'workspace.rename'

const isOwn = (actor: Actor, row: SavedViewTable): boolean => row.account_id === actor.id
const canChange = (actor: Actor, row: SavedViewTable): boolean =>
  isOwn(actor, row) || hasPermission(actor, MANAGE_PERMISSION)
const present = (actor: Actor, row: SavedViewTable) => presentSavedView(row, canChange(actor, row))

/** Lists the actor's own views and the shared ones, by name. */
export async function listSavedViews(db: Queries, actor: Actor) {
  const { workspaceId } = actor
  const own = await db.all(viewsByAccount, { workspaceId, accountId: actor.id })
  const shared = await db.all(sharedViews, { workspaceId })
  const views = [...own, ...shared.filter((row) => !isOwn(actor, row))]
  views.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
  return { savedViews: views.map((row) => present(actor, row)) }
}

/** Saves the filters of a list under a name. @throws AppError `invalid_request`, `conflict` at the limit */
export async function createSavedView(tx: Transaction, ports: Ports, actor: Actor, input: NewSavedViewInput) {
  const { list, name, filters } = requireFields(input, 'list', 'name', 'filters')
  const now = ports.now()
  const row: SavedViewTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    account_id: actor.id,
    list,
    name,
    filters,
    is_shared: input.shared ? 1 : 0,
    created_at: now,
    updated_at: now,
    version: 1,
  }
  await assertUnderLimit(tx, actor, null, row)
  await tx.run(insertView, row)
  return recordChange(tx, ports, actor, 'create', null, row)
}

/** Renames, overwrites, shares or unshares a view. @throws AppError `not_found`, `forbidden`, `version_mismatch` */
export async function changeSavedView(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: SavedViewPatchInput & { ifMatch: ExpectedVersions },
) {
  requireFields(input, 'id')
  assertSetsField(input, ['name', 'filters', 'shared'])
  const before = await requireView(tx, actor, input)
  assertVersion(before, input.ifMatch)
  const after: SavedViewTable = {
    ...before,
    name: input.name ?? before.name,
    filters: input.filters ?? before.filters,
    is_shared: input.shared === undefined ? before.is_shared : input.shared ? 1 : 0,
    updated_at: ports.now(),
    version: before.version + 1,
  }
  if (isSameRow(before, after)) return { savedView: present(actor, before) }
  await assertUnderLimit(tx, actor, before, after)
  await tx.run(updateView, after)
  return recordChange(tx, ports, actor, 'update', before, after)
}

/** Deletes a view. @throws AppError `not_found`, `forbidden` */
export async function deleteSavedView(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly id?: string },
) {
  const row = await requireView(tx, actor, input)
  await tx.run(deleteView, { workspaceId: actor.workspaceId, id: row.id })
  return recordChange(tx, ports, actor, 'delete', row, null)
}

/** A view that the actor may change. Another person's view that is not shared does not exist for the actor. */
async function requireView(db: Queries, actor: Actor, input: { readonly id?: string }) {
  const { id } = requireFields(input, 'id')
  const row = await db.first(viewById, { workspaceId: actor.workspaceId, id })
  if (!row || !(isOwn(actor, row) || row.is_shared === 1)) throw new AppError('not_found')
  if (!isOwn(actor, row)) requirePermission(actor, MANAGE_PERMISSION)
  return row
}

async function assertUnderLimit(
  tx: Transaction,
  { workspaceId, id: accountId }: Actor,
  before: SavedViewTable | null,
  after: SavedViewTable,
): Promise<void> {
  if (
    before === null &&
    (await tx.all(viewsByAccount, { workspaceId, accountId })).length >= MAX_SAVED_VIEWS
  ) {
    throw new AppError('conflict', { message: `You can save at most ${MAX_SAVED_VIEWS} views.` })
  }
  const isNewlyShared = after.is_shared === 1 && before?.is_shared !== 1
  if (isNewlyShared && (await tx.all(sharedViews, { workspaceId })).length >= MAX_SAVED_VIEWS) {
    throw new AppError('conflict', { message: `A workspace can share at most ${MAX_SAVED_VIEWS} views.` })
  }
}

/** Announces a change, and appends it to the audit log if others can see it. @returns the view */
async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: SavedViewTable | null,
  after: SavedViewTable | null,
) {
  const row = (after ?? before) as SavedViewTable
  if (before?.is_shared === 1 || after?.is_shared === 1) {
    await appendAuditEntry(tx, ports, actor, {
      action: `saved_views.${action}`,
      target: { kind: 'saved_view', id: row.id },
      before: before && toAuditSnapshot(before),
      after: after && toAuditSnapshot(after),
    })
  }
  tx.announce({ kind: 'saved_view', workspaceId: row.workspace_id, id: row.id })
  return { savedView: present(actor, row) }
}
