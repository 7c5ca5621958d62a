import { createHash } from 'node:crypto'
import { AppError } from '@reeve/core'
import { type ArchiveTable, type Queries, statement, type Transaction, yieldToEventLoop } from '@reeve/db'
import { ARCHIVE_FORMAT, type ArchiveHeader, type Line, parsePart } from './format.ts'

const partByNumber = statement<{ workspaceId: string; archiveId: string; part: number }>()((sql, p) =>
  sql
    .selectFrom('archive_part')
    .select('bytes')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .where('part', '=', p.part),
)

/** A verified archive. */
export interface ArchiveReader {
  readonly header: ArchiveHeader
  /** Every line after the header, in order. */
  readonly lines: () => AsyncGenerator<Line>
}

/**
 * Opens an archive after verifying the checksum of the whole archive.
 * @throws AppError `internal_error` if it is damaged, `conflict` if another version of Reeve created it
 */
export async function openArchive(tx: Transaction, archive: ArchiveTable): Promise<ArchiveReader> {
  await assertArchiveIntact(tx, archive)
  const lines = readLines(tx, archive)
  const first = await lines.next()
  await lines.return(undefined)
  if (first.done || first.value[0] !== 'archive') throw archiveDamagedError()
  const header = first.value[1] as unknown as ArchiveHeader
  if (header.format !== ARCHIVE_FORMAT.format || !(header.version <= ARCHIVE_FORMAT.version)) {
    throw new AppError('conflict', {
      message: 'This version of Reeve cannot read the format of the archive. Nothing was changed.',
    })
  }
  return {
    header,
    async *lines() {
      let isFirst = true
      for await (const line of readLines(tx, archive)) {
        if (!isFirst) yield line
        isFirst = false
      }
    },
  }
}

/**
 * Reads a whole archive and verifies its checksum.
 * @throws AppError `internal_error` if it is damaged
 */
export async function assertArchiveIntact(db: Queries, archive: ArchiveTable): Promise<void> {
  const hash = createHash('sha256')
  for await (const bytes of readParts(db, archive)) hash.update(bytes)
  if (hash.digest('hex') !== archive.sha256) throw archiveDamagedError()
}

/** The error for a damaged archive. It is a server error, so it is logged for the operator. */
export const archiveDamagedError = (): AppError =>
  new AppError('internal_error', {
    message: 'The archive is damaged: it does not match its checksum. Nothing was changed.',
  })

/** Reads the parts of an archive in order. Concatenated, they are its file. */
export async function* readParts(tx: Queries, archive: ArchiveTable): AsyncGenerator<Uint8Array> {
  const ids = { workspaceId: archive.workspace_id, archiveId: archive.id }
  for (let part = 0; ; part++) {
    const row = await tx.first(partByNumber, { ...ids, part })
    if (!row) return
    yield row.bytes
    await yieldToEventLoop()
  }
}

async function* readLines(tx: Transaction, archive: ArchiveTable): AsyncGenerator<Line> {
  for await (const bytes of readParts(tx, archive)) yield* parsePart(bytes)
}
