import { AppError } from '@reeve/core'
import { type ArchiveTable, freeBytes, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { toCurrentRow } from './convert-rows.ts'
import {
  ARCHIVE_FORMAT,
  type ArchiveHeader,
  decompressFrame,
  type EncodedLine,
  parseLine,
  splitLines,
  startsFrame,
} from './format.ts'

const sliceByNumber = statement<{ workspaceId: string; archiveId: string; slice: number }>()((sql, p) =>
  sql
    .selectFrom('archive_part')
    .select('bytes')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .where('part', '=', p.slice),
)

const lastSlice = statement<{ workspaceId: string; archiveId: string }>()((sql, p) =>
  sql
    .selectFrom('archive_part')
    .select('part')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .orderBy('part', 'desc')
    .limit(1),
)

export type ArchiveKey = Pick<ArchiveTable, 'workspace_id' | 'id'>

/** Where reading an archive continues: before a line of a frame. Running jobs have stored positions, so these names stay. */
export interface ArchivePosition {
  /** The number of the first slice of the frame, as in the column `part`. */
  readonly part: number
  /** The number of the line in its frame, from 0. */
  readonly line: number
}

/** After the header. */
export const CONTENT_START: ArchivePosition = { part: 0, line: 1 }

/** Successive lines of one kind. */
export interface LineBatch {
  readonly kind: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Where the lines after this batch begin. */
  readonly next: ArchivePosition
}

/** How much is parsed at a time. */
const BATCH_LINES = 100
const BATCH_CHARACTERS = 256 * 1024

/** The error for a damaged archive. It is a server error, so it is logged for the operator. */
export const archiveDamagedError = (): AppError =>
  new AppError('internal_error', {
    message: 'The archive is damaged: it does not match its checksum. Nothing was changed.',
  })

/** The bytes of one slice of an archive; undefined after the last. */
const readSlice = async (db: Queries, archive: ArchiveKey, slice: number): Promise<Uint8Array | undefined> =>
  (await db.first(sliceByNumber, { workspaceId: archive.workspace_id, archiveId: archive.id, slice }))?.bytes

/** How many slices an archive has. */
export const countSlices = async (db: Queries, archive: ArchiveKey): Promise<number> =>
  ((await db.first(lastSlice, { workspaceId: archive.workspace_id, archiveId: archive.id }))?.part ?? -1) + 1

/** Reads the slices of an archive in order. Concatenated, they are its file. */
export async function* readSlices(db: Queries, archive: ArchiveKey, first = 0): AsyncGenerator<Uint8Array> {
  for (let slice = first; ; slice++) {
    const bytes = await readSlice(db, archive, slice)
    if (!bytes) return
    yield bytes
    await yieldToEventLoop()
  }
}

/** Reads the frames of an archive, each from all of its slices. @param first the number of the first slice of a frame */
async function* readFrames(db: Queries, archive: ArchiveKey, first: number) {
  let firstSlice = first
  let slices: Uint8Array[] = []
  const toFrame = () => {
    const frame = { firstSlice, sliceCount: slices.length, bytes: Buffer.concat(slices) }
    for (const slice of slices) freeBytes(slice)
    return frame
  }
  for await (const bytes of readSlices(db, archive, first)) {
    if (slices.length > 0 && startsFrame(bytes)) {
      yield toFrame()
      firstSlice += slices.length
      slices = []
    }
    slices.push(bytes)
  }
  if (slices.length > 0) yield toFrame()
}

/**
 * Reads the first line of an archive.
 * @throws AppError `internal_error` if it is damaged, `conflict` if another version of Reeve created it
 */
export async function readHeader(db: Queries, archive: ArchiveKey): Promise<ArchiveHeader> {
  const { value: frame } = await readFrames(db, archive, 0).next()
  const [first] = frame ? splitLines(await decompressFrame(frame.bytes)) : []
  const [kind, data] = first === undefined ? [null, null] : parseLine(first)
  if (kind !== 'archive') throw archiveDamagedError()
  const header = data as unknown as ArchiveHeader
  if (header.format === ARCHIVE_FORMAT.format && header.version <= ARCHIVE_FORMAT.version) return header
  throw new AppError('conflict', {
    message: 'This version of Reeve cannot read the format of the archive. Nothing was changed.',
  })
}

/**
 * Reads the lines of an archive from a position on, in batches of one kind. Other requests run in between. A batch is only valid
 * until the next one is read.
 */
export async function* readLines(
  db: Queries,
  archive: ArchiveKey,
  from: ArchivePosition,
): AsyncGenerator<LineBatch> {
  let { line } = from
  for await (const { firstSlice, sliceCount, bytes: compressed } of readFrames(db, archive, from.part)) {
    const bytes = await decompressFrame(compressed)
    const lines = splitLines(bytes)
    while (line < lines.length) {
      const { kind, rows } = parseBatch(lines, line)
      line += rows.length
      const isEnd = line === lines.length
      // Parsing is a step of its own, before those of who reads the batch.
      await yieldToEventLoop()
      const next = isEnd ? { part: firstSlice + sliceCount, line: 0 } : { part: firstSlice, line }
      yield { kind, rows, next }
      await yieldToEventLoop()
    }
    line = 0
    freeBytes(bytes)
  }
}

/** Parses lines of one kind, beginning with the one at `start`. */
function parseBatch(lines: readonly EncodedLine[], start: number): Omit<LineBatch, 'next'> {
  const [kind, first] = parseLine(lines[start] ?? '')
  const rows = [first]
  let length = lines[start]?.length ?? 0
  for (let index = start + 1; index < lines.length && rows.length < BATCH_LINES; index++) {
    const line = lines[index] ?? ''
    length += line.length
    if (length > BATCH_CHARACTERS) break
    const [otherKind, row] = parseLine(line)
    if (otherKind !== kind) break
    rows.push(row)
  }
  return { kind, rows: rows.map((row) => toCurrentRow(kind, row)) }
}
