import type { AppContext } from '@reeve/auth'
import {
  type Actor,
  type EvidenceType,
  hasErrorCode,
  invalidRequest,
  type Ports,
  requirePermission,
  toEvidenceName,
} from '@reeve/core'
import { type EvidenceFileTable, statement, type Transaction } from '@reeve/db'
import type { RequestContext } from '@reeve/http'
import type { EvidenceUpload } from './attach.ts'
import { discardContent, readEvidence, requireContent, storeContent } from './content.ts'
import { presentEvidenceFile, type StoredEvidenceFile } from './stored-files.ts'

/** Files that are uploaded before the record that is created with them. */

const setRecord = statement<{ workspaceId: string; id: string; recordId: string }>()((sql, p) =>
  sql
    .updateTable('evidence_file')
    .set({ record_id: p.recordId, pending: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('pending', 'is not', null),
)

/** A redaction of the record then removes the name of the file from the response too. */
const setRecordOfResponse = statement<{ workspaceId: string; id: string; recordId: string }>()((sql, p) =>
  sql
    .updateTable('idempotency')
    .set({ record_id: p.recordId })
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id),
)

/** The `pending` column: what the record is going to store of the file. */
type PendingFile = Pick<StoredEvidenceFile, 'name' | 'type' | 'addedBy'> & { readonly type: EvidenceType }

/**
 * Checks a file and stores it for a record that the same account creates within a day; otherwise it is deleted.
 * @returns the file, whose ID the record is created with
 * @throws AppError as `attachEvidenceFile`
 */
export async function uploadPendingFile(
  context: Pick<AppContext, 'db' | 'ports' | 'storage' | 'evidence' | 'commit'>,
  actor: Actor,
  requestContext: RequestContext,
  { name, bytes }: Omit<EvidenceUpload, 'id'>,
) {
  const content = await readEvidence(bytes)
  const { type, size, sha256 } = content
  const pending: PendingFile = { name: toEvidenceName(name, type), type, addedBy: actor.id }
  const owner = { record_id: null, pending: JSON.stringify(pending) }
  const id = await storeContent(context, actor, owner, content)
  const file = presentEvidenceFile({ id, ...pending, size, sha256, addedAt: context.ports.now() })
  try {
    return await context.commit(
      requestContext,
      async () => ({ file }),
      () => id,
    )
  } catch (error) {
    // Also if the response of an earlier request is sent instead.
    await discardContent(context.db, context.ports.now(), { workspaceId: actor.workspaceId, id })
    throw error
  }
}

/**
 * Gives uploaded files to a new record, in the transaction that creates it.
 * @param ids of files that the actor has uploaded without a record
 * @throws AppError `forbidden` without `moderation.evidence`; `invalid_request` naming `evidenceFiles`
 */
export async function takePendingFiles(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  recordId: string,
  ids: readonly string[],
): Promise<StoredEvidenceFile[]> {
  if (ids.length === 0) return []
  requirePermission(actor, 'moderation.evidence')
  const { workspaceId } = actor
  const files: StoredEvidenceFile[] = []
  for (const id of new Set(ids)) {
    const content = await findPending(tx, actor, id)
    await tx.run(setRecord, { workspaceId, id, recordId })
    await tx.run(setRecordOfResponse, { workspaceId, id, recordId })
    const { size_bytes: size, sha256, pending } = content
    files.push({ id, ...(JSON.parse(pending) as PendingFile), size, sha256, addedAt: ports.now() })
  }
  return files
}

async function findPending(
  tx: Transaction,
  { id: actorId, workspaceId }: Actor,
  id: string,
): Promise<EvidenceFileTable & { readonly pending: string }> {
  const content = await requireContent(tx, { workspaceId, id }).catch((error) => {
    if (hasErrorCode(error, 'not_found')) return null
    throw error
  })
  const pending = content?.pending ?? null
  if (content && pending !== null && (JSON.parse(pending) as PendingFile).addedBy === actorId)
    return { ...content, pending }
  throw invalidRequest({
    field: 'evidenceFiles',
    message: 'must be files that you have uploaded for a new record within a day. Upload them again',
  })
}
