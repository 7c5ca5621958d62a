import { createFailureCollector, DAY_MS, type EvidenceStore, LOWEST_ID, type Ports } from '@reeve/core'
import { type Database, type EvidenceFileTable, type Queries, statement, yieldToEventLoop } from '@reeve/db'
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
 * @throws the first error, after the rest has been deleted; AppError `unavailable` if the bucket does not respond
 */
export async function deleteUnusedEvidence(
  db: Database,
  ports: Ports,
  evidence: EvidenceStore,
  signal?: AbortSignal,
): Promise<void> {
  const failures = createFailureCollector()
  await failures.attempt(() => deleteUnlistedFiles(db, ports, signal))
  await failures.attempt(() => deleteUnusedObjects(db, ports, evidence, signal))
  failures.throwFirst()
}

async function deleteUnlistedFiles(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  const failures = createFailureCollector()
  /** Its other files wait for the next call: each of them could take as long until it fails. */
  let failedWorkspaceId: string | null = null
  for (let after = { workspaceId: LOWEST_ID, id: LOWEST_ID }; ; ) {
    const files = await db.read.all(filesAfter, { ...after, limit: SLICE_ROWS })
    for (const file of files) {
      if (signal?.aborted) break
      const { workspace_id: workspaceId } = file
      if (workspaceId === failedWorkspaceId) continue
      const hasSucceeded = await failures.attempt(
        () => deleteUnlistedFile(db, ports.now(), file, signal),
        `the deletion of unused evidence files in workspace ${workspaceId}`,
      )
      if (!hasSucceeded) failedWorkspaceId = workspaceId
    }
    const last = files.at(-1)
    if (signal?.aborted || !last || files.length < SLICE_ROWS) break
    after = { workspaceId: last.workspace_id, id: last.id }
    await yieldToEventLoop()
  }
  failures.throwFirst()
}

async function deleteUnlistedFile(
  db: Database,
  now: number,
  {
    workspace_id: workspaceId,
    id,
    created_at,
    deleted_at,
  }: Pick<EvidenceFileTable, 'workspace_id' | 'id' | 'created_at' | 'deleted_at'>,
  signal?: AbortSignal,
): Promise<void> {
  const key = { workspaceId, id }
  const isRemoved =
    deleted_at !== null || (created_at <= now - GRACE_MS && (await removeUnlisted(db, now, key)))
  if (isRemoved) await deleteBytes(db, key, signal)
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
