import { redactedTexts, type Severity } from '@reeve/core'
import type { RecordTable } from '@reeve/db'

/** How a row stores texts, evidence and comments. */

/** A comment as the `comments` column stores it. */
export interface StoredComment {
  readonly id: string
  readonly text: string
  readonly authorId: string
  readonly authorUsername: string
  readonly createdAt: number
}

export const parseEvidence = (row: RecordTable): string[] => JSON.parse(row.evidence)
export const parseComments = (row: Pick<RecordTable, 'comments'>): StoredComment[] => JSON.parse(row.comments)

export const toEvidenceColumns = (items: readonly string[]) => ({
  evidence: JSON.stringify(items),
  evidence_count: items.length,
})

export const toCommentColumns = (items: readonly StoredComment[]) => ({
  comments: JSON.stringify(items),
  comment_count: items.length,
})

/** The fields of a change that have a column of their own. */
interface RecordFields {
  readonly reason?: string | undefined
  readonly severity?: Severity | undefined
  readonly evidence?: readonly string[] | undefined
  readonly userUsername?: string | undefined
}

/** The columns of the fields that a change sets; a field that is absent sets none. */
export const toRecordColumns = ({ reason, severity, evidence, userUsername }: RecordFields) => ({
  ...(reason !== undefined && { reason }),
  ...(severity !== undefined && { severity }),
  ...(evidence !== undefined && toEvidenceColumns(evidence)),
  ...(userUsername !== undefined && { user_username: userUsername || null }),
})

/** A row without the texts that a redaction removes. */
export const redactRow = (row: RecordTable): RecordTable => ({ ...row, ...redactedTexts })
