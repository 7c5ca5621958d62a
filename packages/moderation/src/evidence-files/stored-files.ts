import { type EvidenceType, evidenceMediaTypes, MAX_EVIDENCE_FILE_BYTES, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { nullableString, responseObject, stringField } from '@reeve/http'
import type { Static } from '@sinclair/typebox'

/** A file as the `evidence_files` column stores it. Its content is in `evidence_file`. */
export interface StoredEvidenceFile {
  readonly id: string
  readonly name: string
  readonly type: EvidenceType
  /** In bytes. */
  readonly size: number
  readonly sha256: string
  readonly addedBy: string
  readonly addedAt: number
  /** The appeal with which the player has sent it; absent if staff have added it. */
  readonly appealId?: string
}

export const EvidenceFile = responseObject(
  {
    id: stringField('Id of the file'),
    name: stringField('Its name, with an extension of its type', 'screenshot.png'),
    type: stringField('Its media type, detected from its content', 'image/png'),
    size: stringField(`Its size in bytes, at most ${MAX_EVIDENCE_FILE_BYTES}`, '48213'),
    sha256: stringField(
      'SHA-256 of the stored file in hex',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    addedBy: stringField('The account or API key that attached it'),
    addedAt: stringField('When it was attached', wire.time.example),
    appealId: nullableString('The appeal with which the player has sent it; null if staff have added it'),
  },
  'An evidence file',
)

export type EvidenceFile = Static<typeof EvidenceFile>

export const parseEvidenceFiles = (row: Pick<RecordTable, 'evidence_files'>): StoredEvidenceFile[] =>
  JSON.parse(row.evidence_files)

/** Converts a stored file to its API form. */
export const presentEvidenceFile = (file: StoredEvidenceFile): EvidenceFile => ({
  id: file.id,
  name: file.name,
  type: evidenceMediaTypes[file.type],
  size: String(file.size),
  sha256: file.sha256,
  addedBy: file.addedBy,
  addedAt: wire.time.write(file.addedAt),
  appealId: file.appealId ?? null,
})

/** The files that staff have added, and those that the player has sent with appeals. */
export const splitEvidenceFiles = (row: Pick<RecordTable, 'evidence_files'>) => {
  const { staff = [], player = [] } = Object.groupBy(parseEvidenceFiles(row), ({ appealId }) =>
    appealId === undefined ? 'staff' : 'player',
  )
  return { staff, player }
}

/** The files that the player has sent with an appeal, oldest first. */
export const listAppealFiles = (
  row: Pick<RecordTable, 'evidence_files'>,
  appealId: string,
): readonly StoredEvidenceFile[] => parseEvidenceFiles(row).filter((file) => file.appealId === appealId)

export const toEvidenceFileColumns = (files: readonly StoredEvidenceFile[]) => ({
  evidence_files: JSON.stringify(files),
  evidence_file_count: files.length,
})
