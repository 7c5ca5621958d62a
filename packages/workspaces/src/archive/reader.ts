import { AppError } from '@reeve/core'
import { type ArchiveTable, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { ARCHIVE_FORMAT, type ArchiveHeader, decompressPart, parseLine } from './format.ts'

const partByNumber = statement<{ workspaceId: string; archiveId: string; part: number }>()((sql, p) =>
  sql
    .selectFrom('archive_part')
    .select('bytes')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .where('part', '=', p.part),
)

const lastPart = statement<{ workspaceId: string; archiveId: string }>()((sql, p) =>
  sql
    .selectFrom('archive_part')
    .select('part')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .orderBy('part', 'desc')
    .limit(1),
)

export type ArchiveKey = Pick<ArchiveTable, 'workspace_id' | 'id'>

/** Where reading an archive continues: before a line of a part. */
export interface ArchivePosition {
  readonly part: number
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

/** The bytes of one part of an archive; undefined after the last. */
export const readPart = async (
  db: Queries,
  archive: ArchiveKey,
  part: number,
): Promise<Uint8Array | undefined> =>
  (await db.first(partByNumber, { workspaceId: archive.workspace_id, archiveId: archive.id, part }))?.bytes

/** How many parts an archive has. */
export const countParts = async (db: Queries, archive: ArchiveKey): Promise<number> =>
  ((await db.first(lastPart, { workspaceId: archive.workspace_id, archiveId: archive.id }))?.part ?? -1) + 1

/** Reads the parts of an archive in order. Concatenated, they are its file. */
export async function* readParts(db: Queries, archive: ArchiveKey, first = 0): AsyncGenerator<Uint8Array> {
  for (let part = first; ; part++) {
    const bytes = await readPart(db, archive, part)
    if (!bytes) return
    yield bytes
    await yieldToEventLoop()
  }
}

/**
 * Reads the first line of an archive.
 * @throws AppError `internal_error` if it is damaged, `conflict` if another version of Reeve created it
 */
export async function readHeader(db: Queries, archive: ArchiveKey): Promise<ArchiveHeader> {
  const bytes = await readPart(db, archive, 0)
  const [first] = bytes ? await decompressPart(bytes) : []
  const [kind, data] = first === undefined ? [null, null] : parseLine(first)
  if (kind !== 'archive') throw archiveDamagedError()
  const header = data as unknown as ArchiveHeader
  if (header.format === ARCHIVE_FORMAT.format && header.version <= ARCHIVE_FORMAT.version) return header
  throw new AppError('conflict', {
    message: 'This version of Reeve cannot read the format of the archive. Nothing was changed.',
  })
}

/** Reads the lines of an archive from a position on, in batches of one kind. Other requests run in between. */
export async function* readLines(
  db: Queries,
  archive: ArchiveKey,
  from: ArchivePosition,
): AsyncGenerator<LineBatch> {
  let { line } = from
  let part = from.part
  for await (const bytes of readParts(db, archive, part)) {
    const texts = await decompressPart(bytes)
    while (line < texts.length) {
      const { kind, rows } = parseBatch(texts, line)
      line += rows.length
      yield { kind, rows, next: { part, line } }
      await yieldToEventLoop()
    }
    part += 1
    line = 0
  }
}

/** Parses lines of one kind, beginning with the one at `start`. */
function parseBatch(texts: readonly string[], start: number): Omit<LineBatch, 'next'> {
  const [kind, first] = parseLine(texts[start] ?? '')
  const rows = [first]
  let characters = texts[start]?.length ?? 0
  for (let index = start + 1; index < texts.length && rows.length < BATCH_LINES; index++) {
    const text = texts[index] ?? ''
    characters += text.length
    if (characters > BATCH_CHARACTERS) break
    const [otherKind, row] = parseLine(text)
    if (otherKind !== kind) break
    rows.push(row)
  }
  return { kind, rows }
}
