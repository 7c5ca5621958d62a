import type { MediaTable } from '@reeve/db'
import { type ContentTable, content, contentTables, type Row } from './content.ts'

/** The table of each kind of line. */
export const tableByKind: ReadonlyMap<string, ContentTable> = new Map(
  contentTables.map((table) => [content[table].kind, table]),
)

export const toMedia = (row: Row): MediaTable => ({
  ...(row as unknown as MediaTable),
  bytes: row.bytes === null ? null : Buffer.from(String(row.bytes), 'base64'),
})
