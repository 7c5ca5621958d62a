import type { AppContext } from '@reeve/auth'
import {
  type Actor,
  AppError,
  type EvidenceStore,
  type EvidenceType,
  invalidRequest,
  wire,
} from '@reeve/core'
import { inspectFile } from '@reeve/core/file-formats'
import {
  createPartDeletion,
  createTimeSlicer,
  type Database,
  type EvidenceFileTable,
  type EvidenceObjectTable,
  type EvidencePartTable,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { deleteUnusedObject } from './objects.ts'

/** Bytes per row of `evidence_part`: a commit that writes a megabyte blocks the event loop for milliseconds. */
const PART_BYTES = 128 * 1024
/** Parts that are deleted in a transaction. */
const PARTS_PER_SLICE = 8
/** Bytes that are hashed at a time: half a millisecond. */
const HASH_BYTES = 512 * 1024

export interface FileKey {
  readonly workspaceId: string
  readonly id: string
}

const insertFile = statement<EvidenceFileTable>()((sql, p) => insertAll(sql, 'evidence_file', p))
const insertPart = statement<EvidencePartTable>()((sql, p) => insertAll(sql, 'evidence_part', p))
const insertObject = statement<EvidenceObjectTable>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'evidence_object', p),
)
const fileById = statement<FileKey>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)
const filesByRecord = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId),
)
const markDeleted = statement<FileKey & { now: number }>()((sql, p) =>
  sql
    .updateTable('evidence_file')
    .set({ deleted_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null),
)
const forgetArchived = statement<FileKey>()((sql, p) =>
  sql.deleteFrom('archive_evidence').where('workspace_id', '=', p.workspaceId).where('file_id', '=', p.id),
)
const partByNumber = statement<FileKey & { part: number }>()((sql, p) =>
  sql
    .selectFrom('evidence_part')
    .select('bytes')
    .where('workspace_id', '=', p.workspaceId)
    .where('file_id', '=', p.id)
    .where('part', '=', p.part),
)
const deleteParts = createPartDeletion('evidence_part')
const deleteFile = statement<FileKey>()((sql, p) =>
  sql
    .deleteFrom('evidence_file')
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null),
)

/** A file that was checked, before it is stored. */
export interface EvidenceContent {
  readonly type: EvidenceType
  readonly parts: readonly Uint8Array[]
  /** In bytes. */
  readonly size: number
  /** In hex. */
  readonly sha256: string
}

/**
 * Detects the type of a file from its content, checks it and removes metadata (`inspectFile`).
 * @param bytes are changed, and must not be used afterwards
 * @throws AppError `invalid_request` naming `file`
 */
export async function readEvidence(bytes: Uint8Array): Promise<EvidenceContent> {
  const { type, parts } = await inspectFile(bytes, yieldToEventLoop).catch((error) => {
    throw error instanceof wire.WireError ? invalidRequest({ field: 'file', message: error.message }) : error
  })
  const hasher = new Bun.CryptoHasher('sha256')
  const yieldIfDue = createTimeSlicer()
  let size = 0
  for (const slice of splitParts(parts, HASH_BYTES)) {
    hasher.update(slice)
    size += slice.length
    await yieldIfDue()
  }
  return { type, parts, size, sha256: hasher.digest('hex') }
}

/** The bytes of some parts in pieces of at most so many bytes. All but the last piece of a part are that large. */
function* splitParts(parts: readonly Uint8Array[], maxBytes: number): Generator<Uint8Array> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += maxBytes) yield part.subarray(start, start + maxBytes)
}

/** Joins small parts, so that an image whose metadata were between them has no more rows than others. */
function* joinParts(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let pending: Uint8Array[] = []
  let length = 0
  for (const piece of splitParts(parts, PART_BYTES)) {
    if (length + piece.length > PART_BYTES) {
      yield Buffer.concat(pending)
      pending = []
      length = 0
    }
    pending.push(piece)
    length += piece.length
  }
  if (length > 0) yield Buffer.concat(pending)
}

/** The record that is going to list a file, or what is stored of a file whose record does not exist yet. */
export type ContentOwner = Pick<EvidenceFileTable, 'record_id' | 'pending'>

/**
 * Stores the content of a file that no record lists yet, in small transactions. It is deleted after a day unless a record lists it.
 * @returns its ID
 * @throws AppError `storage_quota_exceeded`, `unavailable`; then nothing is left of it
 */
export async function storeContent(
  { db, ports, storage, evidence }: Pick<AppContext, 'db' | 'ports' | 'storage' | 'evidence'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  owner: ContentOwner,
  { parts, size, sha256 }: EvidenceContent,
): Promise<string> {
  const id = ports.newId()
  const now = ports.now()
  const isExternal = evidence.isExternal
  await db.write(async (tx) => {
    await storage.assertFits(tx, workspaceId, size)
    await tx.run(insertFile, {
      workspace_id: workspaceId,
      id,
      ...owner,
      size_bytes: size,
      sha256,
      is_external: isExternal ? 1 : 0,
      created_at: now,
      deleted_at: null,
    })
    // Counted now, so that uploads at the same time cannot exceed the quota together.
    await changeStorage(tx, workspaceId, 'evidence', size)
    if (isExternal) await tx.run(insertObject, { id, created_at: now })
  })
  try {
    if (isExternal) await evidence.save(id, Buffer.concat(parts))
    else {
      let part = 0
      for (const bytes of joinParts(parts)) {
        const row = { workspace_id: workspaceId, file_id: id, part: part++, bytes }
        await db.write((tx) => tx.run(insertPart, row))
      }
    }
  } catch (error) {
    await discardContent(db, ports.now(), { workspaceId, id })
    throw error
  }
  return id
}

/** The content of a file. @throws AppError `not_found` if it was removed */
export async function requireContent(db: Pick<Queries, 'first'>, key: FileKey): Promise<EvidenceFileTable> {
  const file = await db.first(fileById, key)
  if (!file) throw new AppError('not_found', { message: 'There is no such file.' })
  return file
}

/** Removes the content of a file, in the transaction that removes it from its record. Its bytes are deleted after that. */
export async function removeContent(tx: Transaction, now: number, key: FileKey): Promise<void> {
  const file = await tx.first(fileById, key)
  if (!file || (await tx.run(markDeleted, { ...key, now })) === 0) return
  await changeStorage(tx, key.workspaceId, 'evidence', -file.size_bytes)
}

/** Removes the content of every file of a record. @returns the ids of the files */
export async function removeRecordContent(
  tx: Transaction,
  now: number,
  key: { readonly workspaceId: string; readonly recordId: string },
): Promise<string[]> {
  const ids = (await tx.all(filesByRecord, key)).map(({ id }) => id)
  for (const id of ids) await removeContent(tx, now, { workspaceId: key.workspaceId, id })
  return ids
}

/** Removes the content of every file of a redacted record, also from the bucket if only archives of the workspace refer to it. */
export async function removeRedactedContent(
  tx: Transaction,
  now: number,
  key: { readonly workspaceId: string; readonly recordId: string },
): Promise<void> {
  // A restore leaves out the files of a redacted record.
  for (const id of await removeRecordContent(tx, now, key))
    await tx.run(forgetArchived, { workspaceId: key.workspaceId, id })
}

/** Deletes the bytes of the removed files of a record. What fails here is repeated by `deleteUnusedEvidence`. */
export async function deleteRemovedBytes(
  { db, evidence }: Pick<AppContext, 'db' | 'evidence'>,
  key: { readonly workspaceId: string; readonly recordId: string },
): Promise<void> {
  for (const { id, is_external, deleted_at } of await db.read.all(filesByRecord, key)) {
    if (deleted_at === null) continue
    await deleteBytes(db, { workspaceId: key.workspaceId, id })
    if (is_external === 1) await deleteUnusedObject(db, evidence, id).catch(() => {})
  }
}

/** Removes the content of a file that no record lists, and deletes its bytes. */
export async function discardContent(db: Database, now: number, key: FileKey): Promise<void> {
  await db.write((tx) => removeContent(tx, now, key))
  await deleteBytes(db, key)
}

/**
 * Deletes the bytes of a removed file in slices. Ends without deleting more once a roll-back has restored the file. Those in a bucket have
 * `deleteUnusedObject`.
 */
export async function deleteBytes(db: Database, key: FileKey, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && !(await db.write((tx) => deleteSlice(tx, key)))) await yieldToEventLoop()
}

/** Deletes a few parts of a removed file, and the file after its last one. @returns whether it was the last slice */
async function deleteSlice(tx: Transaction, key: FileKey): Promise<boolean> {
  // A roll-back stores only the parts that are missing, so those that are left now have to stay.
  if (await tx.first(fileById, key)) return true
  const deleted = await tx.run(deleteParts, { ...key, limit: PARTS_PER_SLICE })
  if (deleted === PARTS_PER_SLICE) return false
  await tx.run(deleteFile, key)
  return true
}

/** Reads the bytes of a file in parts, wherever they are. @throws AppError `unavailable` */
export async function* readContent(
  db: Pick<Queries, 'first'>,
  evidence: EvidenceStore,
  { workspace_id: workspaceId, id, is_external, size_bytes }: EvidenceFileTable,
): AsyncGenerator<Uint8Array> {
  if (is_external === 1) {
    yield* evidence.load(id)
    return
  }
  let sent = 0
  for (let part = 0; sent < size_bytes; part++) {
    const row = await db.first(partByNumber, { workspaceId, id, part })
    if (!row) throw new Error('a part of an evidence file is missing')
    sent += row.bytes.length
    yield row.bytes
    await yieldToEventLoop()
  }
}
