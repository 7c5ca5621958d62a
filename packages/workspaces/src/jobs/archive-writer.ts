import {
  type ArchiveEvidenceTable,
  type ArchiveImageTable,
  type ArchivePartTable,
  freeBytes,
  insertAll,
  statement,
  type Transaction,
  upsertAll,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { countedKinds } from '../archive/content.ts'
import { type ArchiveHeader, createFrameBuffer, FRAME_CHARACTERS, splitFrame } from '../archive/format.ts'
import type { LinePosition, PendingLine } from './archive-lines.ts'
import type { JobContext } from './job-context.ts'

const upsertSlice = statement<ArchivePartTable>()((sql, p) =>
  upsertAll(sql, 'archive_part', p, ['workspace_id', 'archive_id', 'part']),
)
const insertArchiveImage = statement<ArchiveImageTable>()((sql, p) =>
  insertAll(sql, 'archive_image', p).onConflict((conflict) => conflict.doNothing()),
)
const insertArchiveEvidence = statement<ArchiveEvidenceTable>()((sql, p) =>
  insertAll(sql, 'archive_evidence', p).onConflict((conflict) => conflict.doNothing()),
)
const addSize = statement<{ workspaceId: string; id: string; bytes: number; counts: string }>()((sql, p) =>
  sql
    .updateTable('archive')
    .set((eb) => ({ size_bytes: eb('size_bytes', '+', p.bytes), counts: p.counts }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Counts by kind. */
type KindCounts = Readonly<Record<string, number>>

/** Where the job continues: which slice is next, and what it has written. Running jobs have stored positions, so these names stay. */
export interface WritePosition extends LinePosition {
  /** The change counter of the workspace when the job began to read. */
  readonly sequence: number
  /** The number of the next slice, as in the column `part`. */
  readonly part: number
  readonly counts: KindCounts
  /** Whether everything is written. */
  readonly isComplete: boolean
}

/** Where the job continues once a frame is stored. */
type NextPosition = Pick<WritePosition, 'table' | 'after' | 'isComplete'>

/**
 * Collects the lines of an archive, and stores them in compressed frames with the progress of the job.
 * @param archiveId the archive that the lines go to
 * @param start where the job begins, or continues after an interruption
 * @param minTotal how many records and their versions there are at least
 */
export function createArchiveWriter(
  context: JobContext,
  archiveId: string,
  start: WritePosition,
  minTotal: number,
) {
  const workspaceId = context.job.workspace_id
  const buffer = createFrameBuffer()
  const counts = new Map(Object.entries(start.counts))
  let position = start
  let { done } = context.job
  /** Images and files whose bytes are elsewhere, and must stay there as long as the archive. */
  let externalImages: string[] = []
  let externalFiles: string[] = []

  async function addRow(kind: string, row: PendingLine['row']): Promise<void> {
    const { bytes, ...rest } = row
    if (bytes instanceof Uint8Array) {
      await buffer.addBinaryLine(kind, rest, bytes)
      freeBytes(bytes)
    } else buffer.addLine([kind, row])
    if (kind === 'media' && bytes === null) externalImages.push(String(row.hash))
    if (kind === 'evidenceFiles' && row.is_external === 1) externalFiles.push(String(row.id))
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (kind === 'records' || kind === 'recordVersions') done += 1
  }

  const insertSlice = (tx: Transaction, part: number, bytes: Uint8Array) =>
    tx.run(upsertSlice, { workspace_id: workspaceId, archive_id: archiveId, part, bytes })

  async function storeFrame(next: NextPosition): Promise<void> {
    // Writing lines and compressing them are turns of their own.
    await yieldToEventLoop()
    const frame = await buffer.compress()
    const slices = splitFrame(frame)
    const last = slices.pop() ?? frame
    let { part } = position
    // An interruption writes the same slices again, because the position only changes with the last one.
    for (const slice of slices) {
      await context.save({}, (tx) => insertSlice(tx, part, slice))
      part += 1
    }
    position = { ...position, part: part + 1, counts: Object.fromEntries(counts), ...next }
    // The number of changes is at least that of records and their versions.
    const total = Math.max(minTotal, position.sequence, done)
    await context.save({ position, done, total }, async (tx) => {
      await insertSlice(tx, part, last)
      await addStoredFrame(tx, frame.length)
    })
    freeBytes(frame)
    externalImages = []
    externalFiles = []
  }

  /** Counts a frame, and keeps what it refers to. */
  async function addStoredFrame(tx: Transaction, bytes: number): Promise<void> {
    await tx.run(addSize, { workspaceId, id: archiveId, bytes, counts: formatCounts(position.counts) })
    await changeStorage(tx, workspaceId, 'archives', bytes)
    const archive = { workspace_id: workspaceId, archive_id: archiveId }
    for (const file_id of externalFiles) await tx.run(insertArchiveEvidence, { ...archive, file_id })
    for (const hash of externalImages) await tx.run(insertArchiveImage, { ...archive, hash })
  }

  return {
    addHeader: (header: ArchiveHeader) => buffer.addLine(['archive', { ...header }]),
    addRow,
    isFrameFull: () => buffer.size() >= FRAME_CHARACTERS,
    storeFrame,
    /** Stores the rest. @returns where the archive ends */
    async complete(): Promise<WritePosition> {
      if (buffer.size() > 0) await storeFrame({ table: null, after: null, isComplete: true })
      else {
        position = { ...position, isComplete: true }
        await context.save({ position })
      }
      return position
    },
  }
}

/** The counts of an archive, as they are stored. */
const formatCounts = (counts: KindCounts): string =>
  JSON.stringify(Object.fromEntries(countedKinds.map((kind) => [kind, String(counts[kind] ?? 0)])))
