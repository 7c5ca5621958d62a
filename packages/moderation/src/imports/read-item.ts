import { findStoredForm } from '../records/record-store.ts'
import { type ImportedColumns, toImportedColumns } from './entry.ts'
import { type Lift, type ParsedItem, UnreadableEntry } from './formats/format.ts'
import type { ImportContext } from './importer.ts'
import type { Result } from './results.ts'
import { findSourceId, type SharedIds } from './source-ids.ts'

/** What a file contains at a line, with its number among all that it contains. */
export type NumberedItem = ParsedItem & { readonly number: number }

interface ReadItem extends Pick<Result, 'number' | 'line'> {
  /** Null for an entry that cannot be read. */
  readonly columns: ImportedColumns | null
  readonly lifts: Lift | null
  readonly problem: string
}

/** Reads an entry as the record that it becomes. */
export async function readItem(
  context: ImportContext,
  item: NumberedItem,
  sharedIds: SharedIds,
): Promise<ReadItem> {
  const { db, actor, row, now } = context
  const { number, line } = item
  const nothing = { number, line, columns: null, lifts: null }
  if ('problem' in item) return { ...nothing, problem: item.problem }
  try {
    const columns = toImportedColumns(item.record, row, actor.platforms, now)
    const user_id = await findStoredForm(db, actor, columns.user_id)
    const source_id = await findSourceId(context, item.record, columns, sharedIds)
    return { ...nothing, columns: { ...columns, user_id, source_id }, lifts: item.record.lifts, problem: '' }
  } catch (error) {
    if (error instanceof UnreadableEntry) return { ...nothing, problem: error.message }
    throw error
  }
}
