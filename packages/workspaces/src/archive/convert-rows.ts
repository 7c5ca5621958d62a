import { freeBytes, type MediaTable, nullableColumns, storeImageRow, type Transaction } from '@reeve/db'
import { content, contentTables } from './content.ts'
import type { ContentTable } from './content-definition.ts'
import type { Row } from './content-statements.ts'
import { decodeBinaryValue } from './format.ts'

/** The table of each kind of line. */
export const tableByKind: ReadonlyMap<string, ContentTable> = new Map(
  contentTables.map((table) => [content[table].kind, table]),
)

const nullableByKind: ReadonlyMap<string, readonly string[]> = new Map(
  contentTables.map((table) => [content[table].kind, nullableColumns(table)]),
)

/** A row of an archive as its table has it now: one of an earlier version lacks columns that were added since, which are null. */
export function toCurrentRow(kind: string, row: Row): Row {
  const missing = nullableByKind.get(kind)?.filter((column) => !(column in row)) ?? []
  return missing.length === 0
    ? row
    : { ...Object.fromEntries(missing.map((column) => [column, null])), ...row }
}

/** Stores the images of an archive that are not stored any more. */
export async function storeImages(tx: Transaction, rows: readonly Row[]): Promise<void> {
  for (const { bytes: encoded, ...row } of rows) {
    let bytes: Uint8Array | null = null
    // Decoded only where it is needed: the images of an archive are usually those of events that still exist.
    await storeImageRow(tx, row as unknown as Omit<MediaTable, 'bytes'>, () => {
      bytes = encoded === null ? null : decodeBinaryValue(encoded)
      return bytes
    })
    if (bytes !== null) freeBytes(bytes)
  }
}
