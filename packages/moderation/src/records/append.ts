import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { resolveMentions } from '../mentions/resolve.ts'
import { recordMentions } from '../mentions/store.ts'
import { assertCanAdd } from './additions-limit.ts'
import { MAX_COMMENTS, MAX_EVIDENCE } from './codecs.ts'
import {
  chooseActorName,
  parseComments,
  parseEvidence,
  type StoredComment,
  toCommentColumns,
  toEvidenceColumns,
} from './columns.ts'
import type { ModerationChange } from './parse-change.ts'
import { assertNotRedacted, requireRecord, updateRecord } from './record-store.ts'

/**
 * Appends a comment or evidence to a record.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` if the record is redacted or has no space left
 */
export async function append(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'comment' | 'evidence'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  assertNotRedacted(row)
  if (change.action === 'evidence') {
    assertCanAdd(row, change.value)
    const evidence = appendItems(parseEvidence(row), change.value, MAX_EVIDENCE, 'pieces of evidence')
    return updateRecord(
      tx,
      ports,
      actor,
      { auditAction: 'evidence', change },
      row,
      toEvidenceColumns(evidence),
    )
  }
  const { text, accountIds } = await resolveMentions(tx, actor, change.value)
  assertCanAdd(row, [text])
  const comment: StoredComment = {
    id: ports.newId(),
    text,
    authorId: actor.id,
    authorUsername: chooseActorName(actor, change),
    createdAt: ports.now(),
  }
  const comments = appendItems(parseComments(row), [comment], MAX_COMMENTS, 'comments')
  await recordMentions(tx, ports, row, comment, accountIds)
  return updateRecord(tx, ports, actor, { auditAction: 'comment', change }, row, toCommentColumns(comments))
}

function appendItems<T>(stored: readonly T[], added: readonly T[], limit: number, label: string): T[] {
  if (stored.length + added.length > limit) {
    throw new AppError('conflict', {
      message: `A record can have at most ${limit} ${label}; this one has ${stored.length}.`,
    })
  }
  return [...stored, ...added]
}

/**
 * Marks a record as seen by the player. An acknowledged record stays unchanged.
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function acknowledge(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'acknowledge'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  if (row.acknowledged_at !== null) return row
  return updateRecord(tx, ports, actor, { auditAction: 'acknowledge', change }, row, {
    acknowledged_at: ports.now(),
  })
}
