import type { MediaTable } from '@reeve/db'
import { type ContentTable, content, contentTables, type Row } from './content.ts'

/** The table of each kind of line. */
export const tableByKind: ReadonlyMap<string, ContentTable> = new Map(
  contentTables.map((table) => [content[table].kind, table]),
)

/** Archives before version 3 do not have the counts. */
export const withItemCounts = (row: Row): Row => ({
  evidence_count: JSON.parse(String(row.evidence)).length,
  comment_count: JSON.parse(String(row.comments)).length,
  ...row,
})

/** A snapshot is an API response, so it contains the workspace ID. */
export const withWorkspaceId = (row: Row, workspaceId: string): Row => ({
  ...row,
  snapshot: JSON.stringify({ ...JSON.parse(String(row.snapshot)), workspaceId }),
})

/** Archives of version 1 do not have the host. */
export const withHost = (row: Row): Row => ({ host_account_id: null, ...row })

export const toMedia = (row: Row): MediaTable => ({
  ...(row as unknown as MediaTable),
  bytes: row.bytes === null ? null : Buffer.from(String(row.bytes), 'base64'),
})
