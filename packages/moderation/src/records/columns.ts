import { type Actor, redactedTexts, type Severity } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import type { ChangeContext } from './parse-change.ts'

/** How a row stores texts, evidence and comments. */

/** A comment as the `comments` column stores it. */
export interface StoredComment {
  readonly id: string
  readonly text: string
  readonly authorId: string
  readonly authorUsername: string
  readonly createdAt: number
}

export const parseEvidence = (row: Pick<RecordTable, 'evidence'>): string[] => JSON.parse(row.evidence)
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
  readonly evidence?: readonly string[] | null | undefined
  readonly userUsername?: string | null | undefined
}

/** The columns of the fields that a change sets; a field that is absent sets none. */
export const toRecordColumns = ({ reason, severity, evidence, userUsername }: RecordFields) => ({
  ...(reason !== undefined && { reason }),
  ...(severity !== undefined && { severity }),
  ...(evidence !== undefined && toEvidenceColumns(evidence ?? [])),
  ...(userUsername !== undefined && { user_username: userUsername || null }),
})

/** The person whom an API key acts for. */
type OnBehalfOf = Pick<ChangeContext, 'actorUsername' | 'actorPlatformUserId'>

/** The name of who makes a change: that of the account or API key, or of the person whom an API key acts for. */
export const chooseActorName = (actor: Pick<Actor, 'name'>, { actorUsername }: OnBehalfOf): string =>
  actorUsername || actor.name

/** The columns of a record that nobody has lifted or revoked. */
export const NOT_REVOKED = {
  revoked_at: null,
  revoked_by: null,
  revoked_by_username: null,
  revoked_by_platform_user_id: null,
  revoke_reason: null,
} as const

/** The columns of a record that is lifted or revoked. @param now epoch milliseconds @param reason empty for none */
export const toRevokedColumns = (
  actor: Pick<Actor, 'id' | 'name'>,
  change: OnBehalfOf,
  now: number,
  reason: string | undefined,
) => ({
  ended: 'revoked' as const,
  in_force: 0,
  revoked_at: now,
  revoked_by: actor.id,
  revoked_by_username: chooseActorName(actor, change),
  revoked_by_platform_user_id: change.actorPlatformUserId ?? null,
  revoke_reason: reason || null,
})

/** A row without the texts that a redaction removes. */
export const redactRow = (row: RecordTable): RecordTable => ({ ...row, ...redactedTexts })
