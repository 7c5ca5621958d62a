import { AppError, LOWEST_ID } from '@reeve/core'
import { type ErasureTable, insertAll, type Queries, statement, type Transaction, updateAll } from '@reeve/db'

const insert = statement<ErasureTable>()((sql, p) => insertAll(sql, 'erasure', p))
const update = statement<ErasureTable>()((sql, p) =>
  updateAll(sql, 'erasure', p, {
    key: ['workspace_id', 'id'],
    except: ['mode', 'reason', 'actor', 'first_at', 'created_at'],
  }),
)
const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('erasure').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const newestFirst = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const unfinishedOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)
const lock = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('erasure')
    .set((eb) => ({ step: eb.ref('step') }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('finished_at', 'is', null),
)
/** Across workspaces: the oldest one is next. */
const nextUnfinished = statement<{ afterTime: number; afterId: string }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .selectAll()
    .where('finished_at', 'is', null)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(p.afterTime, p.afterId)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

const announce = (tx: Transaction, { workspace_id: workspaceId, id }: ErasureTable): void =>
  tx.announce({ kind: 'erasure', workspaceId, id })

export async function insertErasure(tx: Transaction, row: ErasureTable): Promise<void> {
  await tx.run(insert, row)
  announce(tx, row)
}

/** Changes an erasure. @returns the changed row */
export async function updateErasure(
  tx: Transaction,
  before: ErasureTable,
  changes: Partial<ErasureTable>,
): Promise<ErasureTable> {
  const row = { ...before, ...changes }
  await tx.run(update, row)
  announce(tx, row)
  return row
}

/** Reads an erasure that no other process continues until the commit. @returns undefined if it is complete */
export const lockErasure = async (
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<ErasureTable | undefined> =>
  (await tx.run(lock, { workspaceId, id })) === 0 ? undefined : tx.first(byId, { workspaceId, id })

/** @throws AppError `not_found` */
export async function requireErasure(db: Queries, workspaceId: string, id: string): Promise<ErasureTable> {
  const row = await db.first(byId, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** The erasures of a workspace before one with an ID, newest first. */
export const listErasureRows = (
  db: Queries,
  page: { readonly workspaceId: string; readonly before: string; readonly limit: number },
): Promise<ErasureTable[]> => db.all(newestFirst, page)

/** The erasure of a workspace that is not complete. */
export const findUnfinishedErasure = (db: Queries, workspaceId: string): Promise<ErasureTable | undefined> =>
  db.first(unfinishedOf, { workspaceId })

/** The oldest erasure of all workspaces that is not complete. @param after only those that were requested after it */
export const findNextErasure = (
  db: Queries,
  after?: Pick<ErasureTable, 'created_at' | 'id'>,
): Promise<ErasureTable | undefined> =>
  db.first(nextUnfinished, { afterTime: after?.created_at ?? -1, afterId: after?.id ?? LOWEST_ID })

/** How much was erased, by what it is. */
export type ErasureCounts = Readonly<Record<string, number>>

export const parseCounts = ({ counts }: Pick<ErasureTable, 'counts'>): ErasureCounts => JSON.parse(counts)

/** The counts after more was erased. */
export function addCounts(before: ErasureCounts, added: ErasureCounts): ErasureCounts {
  const sums = { ...before }
  for (const [name, count] of Object.entries(added)) sums[name] = (sums[name] ?? 0) + count
  return sums
}
