import {
  createFailureCollector,
  DAY_MS,
  LOWEST_ID,
  type Ports,
  parseImageHash,
  type StorageBytes,
} from '@reeve/core'
import { type Database, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import {
  appealSizes,
  auditSizes,
  batchItemSizes,
  deliverySizes,
  eventImages,
  headByWorkspace,
  imageSizes,
  importIssueSizes,
  messageSizes,
  recordSizes,
  responseSizes,
  SLICE_ROWS,
  versionSizes,
} from './recount-statements.ts'
import { correctStorage } from './usage.ts'

/** How often the stored bytes of a workspace are counted. */
const RECOUNT_INTERVAL_MS = DAY_MS
export const WORKSPACES_PER_PAGE = 1000

/** Actors that are not UUIDs are stored after those that are, the empty one too. */
const FIRST_ACTOR = LOWEST_ID

export const headPage = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .innerJoin('workspace', 'workspace.id', 'workspace_head.workspace_id')
    .select(['workspace_id', 'storage_counted_at'])
    .where('workspace_id', '>', p.after)
    .orderBy('workspace_id')
    .limit(p.limit),
)
const markCounted = statement<{ workspaceId: string; before: number; now: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ storage_counted_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('storage_counted_at', '=', p.before),
)

/** What a recount needs besides the database. */
export interface RecountOptions {
  readonly signal: AbortSignal
  /** Runs between two statements, so that other requests run in between. */
  readonly pause?: () => Promise<void>
}

/**
 * Counts the stored bytes of every workspace that is due, and corrects its counters: once a day, and after an upgrade or a restore.
 * Reads in small slices while requests go on. Files that they store or delete in the meantime are counted exactly. Texts can be counted
 * wrong until the next day: what is deleted before its slice is read, and versions, deliveries and responses that are added before it.
 * @throws the first error, after the other workspaces have been counted
 */
export async function recountStorage(db: Database, ports: Ports, options: RecountOptions): Promise<void> {
  const { signal } = options
  const failures = createFailureCollector()
  for (let after = ''; ; ) {
    const heads = await db.read.all(headPage, { after, limit: WORKSPACES_PER_PAGE })
    for (const { workspace_id: workspaceId, storage_counted_at: countedAt } of heads) {
      const now = ports.now()
      // A time in the future is from a clock that was set back.
      if (countedAt <= now - RECOUNT_INTERVAL_MS || countedAt > now)
        await failures.attempt(
          () => recountWorkspace(db, ports, workspaceId, options),
          `the recount of workspace ${workspaceId}`,
        )
      if (signal.aborted) break
    }
    if (signal.aborted || heads.length < WORKSPACES_PER_PAGE) break
    after = heads.at(-1)?.workspace_id ?? ''
    await yieldToEventLoop()
  }
  failures.throwFirst()
}

async function recountWorkspace(
  db: Database,
  ports: Ports,
  workspaceId: string,
  options: RecountOptions,
): Promise<void> {
  const head = await db.read.first(headByWorkspace, { workspaceId })
  if (!head) return
  const stored = await countStored(db.read, head, options)
  if (options.signal.aborted) return
  await db.write(async (tx) => {
    const before = head.storage_counted_at
    // Otherwise another process has corrected the counters since, or the rows have been replaced.
    if ((await tx.run(markCounted, { workspaceId, before, now: ports.now() })) === 0) return
    await correctStorage(tx, workspaceId, {
      records: stored.records - head.record_bytes,
      images: stored.images - head.image_bytes,
      evidence: stored.evidence - head.evidence_bytes,
      archives: stored.archives - head.archive_bytes,
      responses: stored.responses - head.response_bytes,
    })
  })
}

/** The head of a workspace, with the size of its files at that time in bytes; null without any. */
export interface Head {
  readonly workspace_id: string
  readonly case_number: number
  readonly audit_sequence: number
  readonly stored_evidence: number | null
  readonly stored_archives: number | null
  readonly stored_import_files: number | null
}

/** Counts what a workspace had at the time of its head, as exactly as `recountStorage` says. */
export async function countStored(db: Queries, head: Head, options: RecountOptions): Promise<StorageBytes> {
  const slice = { workspaceId: head.workspace_id, limit: SLICE_ROWS }
  return {
    // First, because an image that is added between the head and its slice counts twice, and is larger than a text.
    images: await sumImages(db, slice, options),
    responses: await sumSlices({ afterActor: FIRST_ACTOR, afterRoute: '', afterKey: '' }, options, (after) =>
      db.all(responseSizes, { ...slice, ...after }),
    ),
    records: await countRecordBytes(db, head, options),
    evidence: Number(head.stored_evidence),
    archives: Number(head.stored_archives),
  }
}

interface Slice {
  readonly workspaceId: string
  readonly limit: number
}

async function countRecordBytes(db: Queries, head: Head, options: RecountOptions): Promise<number> {
  const { case_number: lastCase, audit_sequence: lastSequence } = head
  const slice = { workspaceId: head.workspace_id, limit: SLICE_ROWS }
  const records = await sumSlices({ afterCase: 0 }, options, (after) =>
    db.all(recordSizes, { ...slice, lastCase, ...after }),
  )
  const versions = await sumSlices({ afterRecord: '', afterVersion: 0 }, options, (after) =>
    db.all(versionSizes, { ...slice, ...after }),
  )
  const audit = await sumSlices({ afterSequence: 0 }, options, (after) =>
    db.all(auditSizes, { ...slice, lastSequence, ...after }),
  )
  const appeals = await sumSlices({ afterAppeal: '' }, options, (after) =>
    db.all(appealSizes, { ...slice, ...after }),
  )
  const other = await countOtherRecordBytes(db, slice, options)
  return records + versions + audit + appeals + other + Number(head.stored_import_files)
}

/** What counts as records besides records, their versions, appeals, the audit log and the files of imports. */
async function countOtherRecordBytes(db: Queries, slice: Slice, options: RecountOptions): Promise<number> {
  const messages = await sumSlices({ afterAppeal: '', afterMessage: '' }, options, (after) =>
    db.all(messageSizes, { ...slice, ...after }),
  )
  const batchItems = await sumSlices({ afterBatch: '', afterNumber: 0 }, options, (after) =>
    db.all(batchItemSizes, { ...slice, ...after }),
  )
  const deliveries = await sumSlices({ afterDelivery: '' }, options, (after) =>
    db.all(deliverySizes, { ...slice, ...after }),
  )
  const importIssues = await sumSlices({ afterImport: '', afterNumber: 0 }, options, (after) =>
    db.all(importIssueSizes, { ...slice, ...after }),
  )
  return messages + batchItems + deliveries + importIssues
}

/** Sums `bytes` of all rows. @param readSlice reads the rows after a position, which each row has */
async function sumSlices<Position>(
  start: Position,
  options: RecountOptions,
  readSlice: (after: Position) => Promise<(Position & { bytes: number })[]>,
): Promise<number> {
  let sum = 0
  for await (const rows of readSlices(start, options, readSlice))
    for (const { bytes } of rows) sum += Number(bytes)
  return sum
}

async function* readSlices<Position, Row extends Position>(
  start: Position,
  { signal, pause = yieldToEventLoop }: RecountOptions,
  readSlice: (after: Position) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = start; !signal.aborted; ) {
    const rows = await readSlice(after)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < SLICE_ROWS) return
    after = last
    await pause()
  }
}

/** The size of the images of a workspace's events, each counted once. */
async function sumImages(db: Queries, slice: Slice, options: RecountOptions): Promise<number> {
  const hashes = new Set<string>()
  const slices = readSlices({ afterEvent: '' }, options, (after) =>
    db.all(eventImages, { ...slice, ...after }),
  )
  for await (const rows of slices) {
    for (const { image_url } of rows) {
      const hash = parseImageHash(image_url)
      if (hash !== null) hashes.add(hash)
    }
  }
  const list = [...hashes]
  let sum = 0
  for (let start = 0; start < list.length; start += SLICE_ROWS) {
    const row = await db.first(imageSizes, { hashes: list.slice(start, start + SLICE_ROWS) })
    sum += Number(row?.bytes ?? 0)
  }
  return sum
}
