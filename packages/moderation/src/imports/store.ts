import { AppError, STORED_ROW_BYTES } from '@reeve/core'
import {
  type Database,
  type ImportIssueTable,
  type ImportPartTable,
  type ImportTable,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  updateAll,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'

/** Listed entries that are deleted in a transaction. */
const ISSUES_PER_SLICE = 200

interface ImportKey {
  readonly workspaceId: string
  readonly id: string
}

const byId = statement<ImportKey>()((sql, p) =>
  sql.selectFrom('import').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const unfinished = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('import')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)
const insert = statement<ImportTable>()((sql, p) => insertAll(sql, 'import', p))
const update = statement<ImportTable>()((sql, p) =>
  updateAll(sql, 'import', p, { key: ['workspace_id', 'id'], except: ['created_at', 'format', 'source'] }),
)
const insertPart = statement<ImportPartTable>()((sql, p) => insertAll(sql, 'import_part', p))
const partByNumber = statement<ImportKey & { part: number }>()((sql, p) =>
  sql
    .selectFrom('import_part')
    .select('bytes')
    .where('workspace_id', '=', p.workspaceId)
    .where('import_id', '=', p.id)
    .where('part', '=', p.part),
)
const someIssues = statement<ImportKey & { limit: number }>()((sql, p) =>
  sql
    .selectFrom('import_issue')
    .select(({ fn }) => ['number', fn<number>('octet_length', ['message']).as('bytes')])
    .where('workspace_id', '=', p.workspaceId)
    .where('import_id', '=', p.id)
    .orderBy('number')
    .limit(p.limit),
)
const deleteIssuesUntil = statement<ImportKey & { last: number }>()((sql, p) =>
  sql
    .deleteFrom('import_issue')
    .where('workspace_id', '=', p.workspaceId)
    .where('import_id', '=', p.id)
    .where('number', '<=', p.last),
)
const insertIssue = statement<ImportIssueTable>()((sql, p) => insertAll(sql, 'import_issue', p))

export const announceImport = (tx: Transaction, { workspace_id, id }: ImportTable): void =>
  tx.announce({ kind: 'import', workspaceId: workspace_id, id })

/** The import of a workspace with this ID. @throws AppError `not_found` */
export async function requireImport(db: Queries, workspaceId: string, id: string): Promise<ImportTable> {
  const row = await db.first(byId, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** The import of a workspace that has not ended. */
export const findUnfinishedImport = (db: Queries, workspaceId: string): Promise<ImportTable | undefined> =>
  db.first(unfinished, { workspaceId })

/** Stores a new import. */
export async function insertImport(tx: Transaction, row: ImportTable): Promise<void> {
  await tx.run(insert, row)
  announceImport(tx, row)
}

/** Changes an import. @returns the changed row */
export async function updateImport(
  tx: Transaction,
  before: ImportTable,
  changes: Partial<ImportTable>,
): Promise<ImportTable> {
  const row = { ...before, ...changes }
  await tx.run(update, row)
  announceImport(tx, row)
  return row
}

export const insertImportPart = (tx: Transaction, row: ImportPartTable): Promise<number> =>
  tx.run(insertPart, row)

/** The bytes of a piece of the file. @throws AppError `conflict` if they are no longer stored */
export async function readImportPart(db: Queries, row: ImportTable, part: number): Promise<Uint8Array> {
  const found = await db.first(partByNumber, { workspaceId: row.workspace_id, id: row.id, part })
  if (!found)
    throw new AppError('conflict', {
      message: 'The file of this import is no longer stored. Import it again.',
    })
  return found.bytes
}

export const insertImportIssue = (tx: Transaction, row: ImportIssueTable): Promise<number> =>
  tx.run(insertIssue, row)

/** Deletes what an import has listed about entries, in slices. */
export async function deleteImportIssues(db: Database, key: ImportKey, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const deleted = await db.write(async (tx) => {
      const rows = await tx.all(someIssues, { ...key, limit: ISSUES_PER_SLICE })
      const last = rows.at(-1)
      // Otherwise another process is deleting them.
      if (last && (await tx.run(deleteIssuesUntil, { ...key, last: last.number })) === rows.length) {
        const freedBytes = rows.reduce((sum, { bytes }) => sum + STORED_ROW_BYTES + Number(bytes), 0)
        await changeStorage(tx, key.workspaceId, 'records', -freedBytes)
      }
      return rows.length
    })
    if (deleted < ISSUES_PER_SLICE) return
    await yieldToEventLoop()
  }
}

/** The progress of an import that begins. */
export const noProgress = {
  position: 0,
  read_bytes: 0,
  created_count: 0,
  known_count: 0,
  skipped_count: 0,
  merged_count: 0,
  superseded_count: 0,
  lifted_count: 0,
  unreadable_count: 0,
} as const
