import type { AppContext } from '@reeve/auth'
import {
  type Actor,
  AppError,
  assertVersion,
  MAX_APPEAL_FILES,
  MAX_EVIDENCE_FILES,
  type Ports,
  toEvidenceName,
} from '@reeve/core'
import type { Queries, RecordTable, Transaction } from '@reeve/db'
import type { RequestContext } from '@reeve/http'
import { findNextAppeal } from '../appeals/next-appeal.ts'
import { assertCanEdit } from '../limits/assert-limits.ts'
import { presentRecord } from '../records/model.ts'
import { assertNotRedacted, requireRecord, updateRecord } from '../records/record-store.ts'
import {
  deleteRemovedBytes,
  discardContent,
  type EvidenceContent,
  readEvidence,
  removeContent,
  requireContent,
  storeContent,
} from './content.ts'
import {
  parseEvidenceFiles,
  presentEvidenceFile,
  type StoredEvidenceFile,
  splitEvidenceFiles,
  toEvidenceFileColumns,
} from './stored-files.ts'

type Context = Pick<AppContext, 'db' | 'ports' | 'storage' | 'evidence' | 'commit'>

/** A file to attach to a record. */
export interface EvidenceUpload {
  /** The record. */
  readonly id: string
  /** As the sender names it. */
  readonly name: string
  /** Are changed, and must not be used afterwards. */
  readonly bytes: Uint8Array
}

/** How a file is attached, and what the response to it is. */
export interface Attachment<Result> {
  /** The appeal with which a player sends it; null for staff. */
  readonly appealId: string | null
  /** Runs in the transaction that attaches it. @throws AppError if it may not be attached any more */
  readonly onAttach: (tx: Transaction) => Promise<void>
  readonly present: (db: Queries, row: RecordTable, file: StoredEvidenceFile) => Promise<Result>
}

/**
 * Asserts that a record can have another file, before the file is received.
 * @throws AppError `not_found`, `conflict`
 */
export async function assertCanAttach(db: AppContext['db']['read'], actor: Actor, id: string): Promise<void> {
  assertHasSpace(await requireRecord(db, actor, id), { appealId: null })
}

function assertHasSpace(row: RecordTable, sender: Sender): void {
  assertNotRedacted(row)
  const { length } = listFiles(row, sender)
  if (sender.appealId === null && length >= MAX_EVIDENCE_FILES)
    throw new AppError('conflict', {
      message: `A record can have at most ${MAX_EVIDENCE_FILES} files. Remove one that is not needed, or add a note.`,
    })
  if (sender.appealId !== null && length >= MAX_APPEAL_FILES)
    throw new AppError('conflict', {
      message: `You can send at most ${MAX_APPEAL_FILES} files about a ban. Describe what else there is in a message.`,
    })
}

/**
 * Attaches a file of staff to a record. The caller decides who may: `moderation.evidence` in the portal.
 * @returns the record, and the file as it lists it
 * @throws AppError as `attachFile`
 */
export const attachEvidenceFile = (
  context: Context,
  actor: Actor,
  requestContext: RequestContext,
  upload: EvidenceUpload,
) =>
  attachFile(context, actor, requestContext, upload, {
    appealId: null,
    onAttach: async () => {},
    present: async (db, row, file) => ({
      record: presentRecord({ ...row, ...(await findNextAppeal(db, row)) }, context.ports.now()),
      file: presentEvidenceFile(file),
    }),
  })

/**
 * Checks a file, stores it and attaches it to a record. Does nothing if the record has the same content already.
 * @param requestContext the file is attached with its idempotency key
 * @returns what `attachment` presents
 * @throws AppError `invalid_request` naming `file` for a type that is not accepted, or a damaged or dangerous file; `not_found`,
 *   `conflict` if the record is redacted or has as many files as it can have, `storage_quota_exceeded`, `unavailable`
 */
export async function attachFile<Result extends object>(
  context: Context,
  actor: Actor,
  requestContext: RequestContext,
  { id, name, bytes }: EvidenceUpload,
  attachment: Attachment<Result>,
): Promise<Result> {
  const { db, ports } = context
  const content = await readEvidence(bytes)
  const row = await requireRecord(db.read, actor, id)
  const existing = findSameContent(row, content, attachment)
  if (existing) return attachment.present(db.read, row, existing)
  assertHasSpace(row, attachment)
  const fileId = await storeContent(context, actor, { record_id: id, pending: null }, content)
  try {
    return await context.commit(
      requestContext,
      (tx) => attach(tx, ports, actor, { id, fileId, name, content }, attachment),
      () => id,
    )
  } catch (error) {
    // Also if the response of an earlier request is sent instead. A commit that failed after its effect is corrected by the check.
    const current = await requireRecord(db.read, actor, id).catch(() => null)
    const isAttached = current !== null && parseEvidenceFiles(current).some((file) => file.id === fileId)
    if (!isAttached) await discardContent(db, ports.now(), { workspaceId: actor.workspaceId, id: fileId })
    throw error
  }
}

type Sender = Pick<Attachment<unknown>, 'appealId'>

/** The files that staff have added, or those that the player has sent. */
function listFiles(row: RecordTable, { appealId }: Sender): readonly StoredEvidenceFile[] {
  const { staff, player } = splitEvidenceFiles(row)
  return appealId === null ? staff : player
}

const findSameContent = (
  row: RecordTable,
  { sha256 }: EvidenceContent,
  sender: Sender,
): StoredEvidenceFile | undefined => listFiles(row, sender).find((file) => file.sha256 === sha256)

interface StoredUpload {
  readonly id: string
  readonly fileId: string
  readonly name: string
  readonly content: EvidenceContent
}

async function attach<Result>(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { id, fileId, name, content }: StoredUpload,
  attachment: Attachment<Result>,
): Promise<Result> {
  const row = await requireRecord(tx, actor, id)
  assertHasSpace(row, attachment)
  if (findSameContent(row, content, attachment))
    throw new AppError('conflict', { message: 'The record has this file already.' })
  // Cleanup deletes what no record lists for a day.
  await requireContent(tx, { workspaceId: actor.workspaceId, id: fileId })
  await attachment.onAttach(tx)
  const { type, size, sha256 } = content
  const { appealId } = attachment
  const file: StoredEvidenceFile = {
    id: fileId,
    name: toEvidenceName(name, type),
    type,
    size,
    sha256,
    addedBy: actor.id,
    addedAt: ports.now(),
    ...(appealId !== null && { appealId }),
  }
  const files = [...parseEvidenceFiles(row), file]
  const change = { auditAction: 'attach_file', change: { ifMatch: null } }
  const updated = await updateRecord(tx, ports, actor, change, row, toEvidenceFileColumns(files))
  return attachment.present(tx, updated, file)
}

/** The file to remove from a record. */
export interface EvidenceRemoval {
  /** The record. */
  readonly id: string
  readonly fileId: string
}

/**
 * Removes a file from a record and deletes its content. Earlier versions of the record and the audit log keep its name and checksum.
 * @throws AppError `not_found`, `version_mismatch`; `forbidden` (`over_limit`) for the last piece of evidence, if the actor's roles require some
 */
export async function removeEvidenceFile(
  context: Context,
  actor: Actor,
  requestContext: RequestContext,
  { id, fileId }: EvidenceRemoval,
) {
  const { ports, commit } = context
  const { workspaceId } = actor
  const response = await commit(
    requestContext,
    async (tx) => {
      const row = await requireRecord(tx, actor, id)
      assertVersion(row, requestContext.ifMatch)
      const files = parseEvidenceFiles(row)
      const remaining = files.filter((file) => file.id !== fileId)
      if (remaining.length === files.length)
        throw new AppError('not_found', { message: 'The record has no such file.' })
      const change = { auditAction: 'remove_file', change: { ifMatch: requestContext.ifMatch } }
      const changes = toEvidenceFileColumns(remaining)
      assertCanEdit(actor, row, { ...row, ...changes })
      const updated = await updateRecord(tx, ports, actor, change, row, changes)
      await removeContent(tx, ports.now(), { workspaceId, id: fileId })
      return { record: presentRecord({ ...updated, ...(await findNextAppeal(tx, updated)) }, ports.now()) }
    },
    () => id,
  )
  await deleteRemovedBytes(context, { workspaceId, recordId: id })
  return response
}
