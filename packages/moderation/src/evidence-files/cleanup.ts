import { DAY_MS, type EvidenceStore, LOWEST_ID, type Ports } from '@reeve/core'
import { type Database, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { hasUnfinishedJob } from '../unfinished-job.ts'
import { deleteBytes, type FileKey, removeContent } from './content.ts'
import { deleteUnusedObject } from './objects.ts'
import { parseEvidenceFiles } from './stored-files.ts'

/** How long content stays that no record lists: longer than any upload takes. */
const GRACE_MS = DAY_MS
/** Files per step: a few milliseconds. */
const SLICE_ROWS = 100

const filesAfter = statement<{ workspaceId: string; id: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .select(['workspace_id', 'id', 'created_at', 'deleted_at'])
    .where((eb) => eb(eb.refTuple('workspace_id', 'id'), '>', eb.tuple(p.workspaceId, p.id)))
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(p.limit),
)
const recordOfFile = statement<FileKey>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'evidence_file.workspace_id')
        .onRef('record.id', '=', 'evidence_file.record_id'),
    )
    .select('record.evidence_files')
    .where('evidence_file.workspace_id', '=', p.workspaceId)
    .where('evidence_file.id', '=', p.id),
)
const objectsAfter = statement<{ after: string; limit: number }>()((sql, p) =>
  sql.selectFrom('evidence_object').selectAll().where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/**
 * Deletes the content of files that no record lists: of uploads that were interrupted, and of records that a roll-back or a deletion
 * removed. Small steps, between which other requests run.
 * @throws AppError `unavailable` if the bucket does not respond; the rest has been deleted then
 */
export async function deleteUnusedEvidence(
  db: Database,
  ports: Ports,
  evidence: EvidenceStore,
  signal?: AbortSignal,
): Promise<void> {
  await deleteUnlistedFiles(db, ports, signal)
  await deleteUnusedObjects(db, ports, evidence, signal)
}

async function deleteUnlistedFiles(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  for (let after = { workspaceId: LOWEST_ID, id: LOWEST_ID }; !signal?.aborted; ) {
    const files = await db.read.all(filesAfter, { ...after, limit: SLICE_ROWS })
    for (const { workspace_id: workspaceId, id, created_at, deleted_at } of files) {
      if (signal?.aborted) return
      const key = { workspaceId, id }
      const isRemoved =
        deleted_at !== null ||
        (created_at <= ports.now() - GRACE_MS && (await removeUnlisted(db, ports.now(), key)))
      if (isRemoved) await deleteBytes(db, key, signal)
    }
    const last = files.at(-1)
    if (!last || files.length < SLICE_ROWS) return
    after = { workspaceId: last.workspace_id, id: last.id }
    await yieldToEventLoop()
  }
}

/** Removes the content of a file unless a record lists it. @returns whether it did */
async function removeUnlisted(db: Database, now: number, key: FileKey): Promise<boolean> {
  if (await isListed(db.read, key)) return false
  return db.write(async (tx) => {
    // A roll-back that has found the file brings its record back later.
    if ((await hasUnfinishedJob(tx, key.workspaceId)) || (await isListed(tx, key))) return false
    await removeContent(tx, now, key)
    return true
  })
}

async function isListed(db: Pick<Queries, 'first'>, key: FileKey): Promise<boolean> {
  const record = await db.first(recordOfFile, key)
  return record !== undefined && parseEvidenceFiles(record).some(({ id }) => id === key.id)
}

/** Deletes the files in the bucket that neither a record of any workspace nor an archive needs. */
async function deleteUnusedObjects(
  db: Database,
  ports: Ports,
  evidence: EvidenceStore,
  signal?: AbortSignal,
): Promise<void> {
  for (let after = LOWEST_ID; !signal?.aborted; ) {
    const objects = await db.read.all(objectsAfter, { after, limit: SLICE_ROWS })
    for (const { id, created_at } of objects) {
      if (signal?.aborted) return
      // An upload in progress has its row already, so the grace only covers clocks that differ.
      if (created_at <= ports.now() - GRACE_MS) await deleteUnusedObject(db, evidence, id)
    }
    const last = objects.at(-1)
    if (!last || objects.length < SLICE_ROWS) return
    after = last.id
    await yieldToEventLoop()
  }
}
