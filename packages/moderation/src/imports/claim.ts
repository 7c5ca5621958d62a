import { LOWEST_ID, type Ports } from '@reeve/core'
import {
  createClaim,
  createRelease,
  type Database,
  getLeaseBounds,
  type ImportState,
  type ImportTable,
  sqlLiteral,
  statement,
  type Transaction,
} from '@reeve/db'
import type { ImportDependencies } from './dependencies.ts'
import { announceImport } from './store.ts'

/** The import was cancelled, belongs to another process, or this process is stopping. */
export class ImportStopped extends Error {}

/** Across workspaces: imports run one at a time, the interrupted one first. */
const nextByState = statement<{ state: ImportState; after: string }>({ isCommutative: true })((sql, p) =>
  sql
    .selectFrom('import')
    .selectAll()
    .where('state', '=', p.state)
    .where('id', '>', p.after)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .limit(1),
)
const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('import').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const claim = createClaim('import')
const release = createRelease('import')
/** In a table of the instance, because the imports of different workspaces may be on different shards. */
const markClaim = statement<{ now: number }>({ isCommutative: true })((sql, p) =>
  sql
    .insertInto('job')
    .values({ name: 'imports', begun_at: p.now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ begun_at: p.now })),
)
const advance = statement<
  Pick<
    ImportTable,
    | 'position'
    | 'read_bytes'
    | 'created_count'
    | 'known_count'
    | 'skipped_count'
    | 'merged_count'
    | 'superseded_count'
    | 'lifted_count'
    | 'unreadable_count'
  > & { workspaceId: string; id: string; runner: string; now: number }
>()((sql, p) =>
  sql
    .updateTable('import')
    .set({
      position: p.position,
      read_bytes: p.read_bytes,
      created_count: p.created_count,
      known_count: p.known_count,
      skipped_count: p.skipped_count,
      merged_count: p.merged_count,
      superseded_count: p.superseded_count,
      lifted_count: p.lifted_count,
      unreadable_count: p.unreadable_count,
      heartbeat_at: p.now,
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('runner', '=', p.runner)
    .where('state', '=', sqlLiteral('running')),
)

/**
 * Takes the interrupted import, or else the oldest queued one, unless another process runs one.
 * @param runner names this process
 * @param after of those that were interrupted, only imports with a later ID
 */
export async function claimNextImport(
  db: Database,
  ports: Ports,
  runner: string,
  after = LOWEST_ID,
): Promise<ImportTable | null> {
  const findNext = async (queries: Database['read']) =>
    (await queries.first(nextByState, { state: 'running', after })) ??
    // Also those that began earlier than one that failed, and whose files have arrived later.
    (await queries.first(nextByState, { state: 'queued', after: LOWEST_ID }))
  if (!(await findNext(db.read))) return null
  const now = ports.now()
  const bounds = getLeaseBounds(db, now)
  return db.write(async (tx) => {
    // Locks the row, so that processes claim one after the other.
    await tx.run(markClaim, { now })
    const next = await findNext(tx)
    if (!next) return null
    const key = { workspaceId: next.workspace_id, id: next.id }
    if ((await tx.run(claim, { ...key, runner, ...bounds })) === 0) return null
    announceImport(tx, next)
    return (await tx.first(byId, key)) ?? null
  })
}

/** How often an import says that this process still runs it while it stores nothing: well below the time of the lease. */
const HEARTBEAT_MS = 5_000

/**
 * Keeps an import that stores nothing for a while from being taken by another process.
 * @param getRow the import as it was saved last
 * @returns to call at each step: throws ImportStopped if the import no longer belongs to this process, or the process is stopping
 */
export function createHeartbeat(
  { db, ports, runner, signal }: ImportDependencies,
  getRow: () => ImportTable,
): () => Promise<void> {
  let last = ports.now()
  return async () => {
    if (signal.aborted) throw new ImportStopped()
    const now = ports.now()
    // A clock that is set back does not end it.
    if (Math.abs(now - last) < HEARTBEAT_MS) return
    last = now
    const saved = await db.write((tx) => saveImport(tx, ports, getRow(), runner, {}))
    if (saved === null) throw new ImportStopped()
  }
}

/** Lets another process continue the import at once. */
export const releaseImport = (
  db: Database,
  { workspace_id: workspaceId, id }: ImportTable,
  runner: string,
): Promise<number> => db.write((tx) => tx.run(release, { workspaceId, id, runner }))

/** How often the progress is announced at most. */
const ANNOUNCE_EVERY = 500

/** Saves the progress. @returns the changed row; null if the import no longer belongs to this process */
export async function saveImport(
  tx: Transaction,
  ports: Ports,
  before: ImportTable,
  runner: string,
  changes: Partial<ImportTable>,
): Promise<ImportTable | null> {
  const now = ports.now()
  const row = { ...before, ...changes, heartbeat_at: now }
  const { workspace_id: workspaceId, id } = row
  if ((await tx.run(advance, { ...row, workspaceId, id, runner, now })) === 0) return null
  if (Math.floor(row.position / ANNOUNCE_EVERY) !== Math.floor(before.position / ANNOUNCE_EVERY))
    announceImport(tx, row)
  return row
}
