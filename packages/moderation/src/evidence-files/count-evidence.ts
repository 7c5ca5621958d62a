import type { RecordTable } from '@reeve/db'
import { splitEvidenceFiles } from './stored-files.ts'

/** How much evidence staff have given for a record: lines and files. What the player has sent with an appeal is none. */
export const countEvidence = (row: Pick<RecordTable, 'evidence_count' | 'evidence_files'>): number =>
  row.evidence_count + splitEvidenceFiles(row).staff.length
