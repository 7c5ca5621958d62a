import { detectEncoding } from '@reeve/core'
import { type Database, freeBytes, type ImportTable, type Queries, yieldToEventLoop } from '@reeve/db'
import type { ParsedItem } from './formats/format.ts'
import { parsers } from './formats/index.ts'
import type { ImportFormat } from './model.ts'
import { readImportPart } from './store.ts'

/** Bytes that are decoded at a time, so that parsing them blocks other requests for a moment only. */
const PIECE_BYTES = 16 * 1024

/** How much of a file has been read. */
export interface ReadProgress {
  bytes: number
}

/** Reads the file of an import as text. @param progress is increased @param onPiece is called before each piece */
async function* readText(
  db: Queries,
  row: ImportTable,
  progress: ReadProgress,
  onPiece: () => Promise<void>,
): AsyncGenerator<string> {
  let decoder = new TextDecoder()
  for (let part = 0; part < row.part_count; part++) {
    const bytes = await readImportPart(db, row, part)
    // A byte that is not UTF-8 becomes a replacement character, because older tools write other encodings.
    if (part === 0) decoder = new TextDecoder(detectEncoding(bytes))
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES)
      progress.bytes += piece.length
      await onPiece()
      yield decoder.decode(piece, { stream: true })
      await yieldToEventLoop()
    }
    freeBytes(bytes)
  }
  yield decoder.decode()
}

/**
 * Reads what the file of an import contains.
 * @param progress is increased
 * @param onPiece is called often, also while the file is read to its end before its first entry
 */
export const readImportFile = (
  db: Database,
  row: ImportTable,
  progress: ReadProgress,
  onPiece: () => Promise<void>,
): AsyncIterable<ParsedItem> =>
  parsers[row.format as ImportFormat](readText(db.read, row, progress, onPiece), {
    fileName: row.file_name,
    columns: row.columns === null ? null : JSON.parse(row.columns),
    action: row.default_action,
  })
