import type { EvidenceStore } from '@reeve/core'
import { type Database, statement } from '@reeve/db'

/** What needs an object, in one statement: a roll-back restores files of an archive, which can be deleted after that. */
const objectUse = statement<{ id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('evidence_file')
    .select('id')
    .where('id', '=', p.id)
    // A literal, because the index has only these rows.
    .where('is_external', '=', (eb) => eb.lit(1))
    .where('deleted_at', 'is', null)
    .unionAll(sql.selectFrom('archive_evidence').select('file_id as id').where('file_id', '=', p.id))
    .limit(1),
)
const deleteObject = statement<{ id: string }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('evidence_object').where('id', '=', p.id),
)

/**
 * Deletes a file from the bucket unless a record of any workspace or an archive needs it.
 * @throws AppError `unavailable`
 */
export async function deleteUnusedObject(db: Database, evidence: EvidenceStore, id: string): Promise<void> {
  // Files are only restored from archives that refer to them, so what is unused stays unused.
  if (await db.read.first(objectUse, { id })) return
  // Its bytes first: without the row, nothing would find them any more.
  if (await evidence.remove(id)) await db.write((tx) => tx.run(deleteObject, { id }))
}
