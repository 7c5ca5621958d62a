import { parseImageHash } from '@reeve/core'
import { columnsExcept, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { content, contentTables } from '../archive/content.ts'
import type { ContentTable } from '../archive/content-definition.ts'
import type { KeyPosition, Row } from '../archive/content-statements.ts'
import { readRows, toKeyPosition } from '../archive/read-rows.ts'

const imageByHash = statement<{ hash: string }>()((sql, p) =>
  sql
    .selectFrom('media')
    .select(columnsExcept('media', 'bytes'))
    .select((eb) => eb.fn<number | null>('octet_length', ['bytes']).as('stored_bytes'))
    .where('hash', '=', p.hash),
)
const pieceOfImage = statement<{ hash: string; start: number; length: number }>()((sql, p) =>
  sql
    .selectFrom('media')
    .select((eb) => eb.fn<Uint8Array>('substr', ['bytes', eb.val(p.start), eb.val(p.length)]).as('piece'))
    .where('hash', '=', p.hash)
    .where('bytes', 'is not', null),
)

/** How much of an image is read at a time: a database server sends bytes as text, which takes milliseconds for a whole image. */
const PIECE_BYTES = 128 * 1024

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
      const image = await readImage(db, hash)
      if (!image) continue
      yield { kind: 'media', row: image, table: null, after: toKeyPosition('event', row) }
    }
  }
}

/** An image; undefined if it is not stored any more. */
async function readImage(db: Queries, hash: string): Promise<Row | undefined> {
  const image = await db.first(imageByHash, { hash })
  if (!image) return undefined
  const { stored_bytes, ...row } = image
  // In the external store.
  if (stored_bytes === null) return { ...row, bytes: null }
  const bytes = new Uint8Array(Number(stored_bytes))
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    // SQL counts from 1.
    const found = await db.first(pieceOfImage, { hash, start: start + 1, length: PIECE_BYTES })
    if (!found) return undefined
    bytes.set(found.piece, start)
    await yieldToEventLoop()
  }
  return { ...row, bytes }
}
