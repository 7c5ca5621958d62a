import { loadActor, loadPseudonymKey, parseActor } from '@reeve/auth'
import { type Actor, type Platforms, type Ports, permissions, requirePermission } from '@reeve/core'
import type { ImportTable, Queries } from '@reeve/db'
import { assertModerationOn } from '../assert-writable.ts'
import { assertCanImport } from '../limits/assert-limits.ts'

/** What the entries of an import are decided with. */
export interface ImportContext {
  readonly db: Queries
  /** Who requested the import. */
  readonly actor: Actor
  readonly row: ImportTable
  /** Epoch milliseconds. */
  readonly now: number
}

/** The command line, which may do everything, also while Moderation is off. */
const loadSystem = async (db: Queries, ports: Ports, row: ImportTable): Promise<Actor> => ({
  ...parseActor(row),
  permissions: new Set(permissions),
  pseudonymKey: await loadPseudonymKey(db, ports, row.workspace_id),
})

/** The member who requested the import. */
async function loadMember(db: Queries, ports: Ports, row: ImportTable): Promise<Actor> {
  await assertModerationOn(db, row.workspace_id)
  return loadActor(db, ports, row)
}

/**
 * Who requested the import, with the permissions and the rank that they have now.
 * @throws AppError `forbidden` if they could no longer begin it
 */
export async function loadImporter(
  db: Queries,
  ports: Ports,
  row: ImportTable,
  platforms: Platforms,
): Promise<Actor> {
  const load = parseActor(row).kind === 'system' ? loadSystem : loadMember
  const actor = await load(db, ports, row)
  requirePermission(actor, 'moderation.import')
  assertCanImport(actor)
  return { ...actor, workspaceId: row.workspace_id, platforms }
}
