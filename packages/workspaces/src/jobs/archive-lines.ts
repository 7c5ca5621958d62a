import { parseImageHash } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { content, contentTables } from '../archive/content.ts'
import type { ContentTable } from '../archive/content-definition.ts'
import type { KeyPosition, Row } from '../archive/content-statements.ts'
import { readRows, toKeyPosition } from '../archive/read-rows.ts'

const imageByHash = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('media').selectAll().where('hash', '=', p.hash),
)

/** Where writing an archive continues. */
export interface LinePosition {
  /** The table to continue in; null after the last table, when only images are left. */
  readonly table: ContentTable | null
  /** The last row that was written of the table, or the last event whose image was. */
  readonly after: KeyPosition | null
}

/** A line to write, and where the job continues after it. */
export interface PendingLine extends LinePosition {
  readonly kind: string
  readonly row: Row
}

/** The lines after a position: the rows of each table, then the images of the events. */
export async function* readLines(
  db: Queries,
  workspaceId: string,
  { table: first, after }: LinePosition,
): AsyncGenerator<PendingLine> {
  const tables = first === null ? [] : contentTables.slice(contentTables.indexOf(first))
  for (const table of tables) {
    const { kind } = content[table]
    for await (const rows of readRows(db, workspaceId, table, table === first ? after : null)) {
      for (const row of rows) yield { kind, row, table, after: toKeyPosition(table, row) }
    }
  }
  yield* readImages(db, workspaceId, first === null ? after : null)
}

/** The images of the events after one, each once. */
async function* readImages(
  db: Queries,
  workspaceId: string,
  after: KeyPosition | null,
): AsyncGenerator<PendingLine> {
  const written = new Set<string>()
  // Read from the start, to know which images have been written for an earlier event.
  for await (const rows of readRows(db, workspaceId, 'event', null)) {
    for (const row of rows) {
      const hash = parseImageHash(row.image_url as string | null)
      if (hash === null || written.has(hash)) continue
      written.add(hash)
      if (after !== null && String(row.id) <= after.first) continue
      const image = await db.first(imageByHash, { hash })
      if (!image) continue
      yield { kind: 'media', row: { ...image }, table: null, after: toKeyPosition('event', row) }
    }
  }
}
