import type { EvidenceStore } from '@reeve/core'
import { type Database, type Queries, statement } from '@reeve/db'

const fileByObject = statement<{ id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .select('id')
    .where('id', '=', p.id)
    // A literal, because the index has only these rows.
    .where('is_external', '=', (eb) => eb.lit(1))
    .where('deleted_at', 'is', null)
    .limit(1),
)
const archiveByObject = statement<{ id: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('archive_evidence').select('archive_id').where('file_id', '=', p.id).limit(1),
)
const deleteObject = statement<{ id: string }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('evidence_object').where('id', '=', p.id),
)

const isObjectUsed = async (db: Pick<Queries, 'first'>, id: string): Promise<boolean> =>
  (await db.first(fileByObject, { id })) !== undefined ||
  (await db.first(archiveByObject, { id })) !== undefined

/**
 * Deletes a file from the bucket unless a record of any workspace or an archive needs it.
 * @throws AppError `unavailable`
 */
export async function deleteUnusedObject(db: Database, evidence: EvidenceStore, id: string): Promise<void> {
  if (await isObjectUsed(db.read, id)) return
  // Its bytes first: without the row, nothing would find them any more.
  if (await evidence.remove(id)) await db.write((tx) => tx.run(deleteObject, { id }))
}
