import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { commentText, evidenceLines, MAX_COMMENTS, MAX_EVIDENCE, parseValue } from './codecs.ts'
import { parseComments, parseEvidence, type StoredComment } from './model.ts'
import { type ModerationChange, requireField } from './parse-change.ts'
import { requireRecord, updateRecord } from './record-store.ts'
import { assertNotRedacted } from './redact.ts'

/** Appends a comment. @throws AppError `not_found`, `version_mismatch`, `conflict` where it is full or redacted */
export async function addComment(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const text = parseValue(commentText, requireField(change, 'value'))
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  assertNotRedacted(row)
  const newComment: StoredComment = {
    id: ports.newId(),
    text,
    authorId: actor.id,
    authorUsername: change.actorUsername || actor.name,
    createdAt: ports.now(),
  }
  const comments = appendItems(parseComments(row), [newComment], MAX_COMMENTS, 'comments')
  return updateRecord(tx, ports, actor, { auditAction: 'comment', change }, row, { comments })
}

/** Appends evidence. @throws AppError as `comment` */
export async function addEvidence(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const items = parseValue(evidenceLines, requireField(change, 'value'))
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  assertNotRedacted(row)
  const evidence = appendItems(parseEvidence(row), items, MAX_EVIDENCE, 'pieces of evidence')
  return updateRecord(tx, ports, actor, { auditAction: 'evidence', change }, row, { evidence })
}

function appendItems<T>(stored: readonly T[], added: readonly T[], limit: number, label: string): string {
  if (stored.length + added.length > limit) {
    throw new AppError('conflict', {
      message: `A record holds at most ${limit} ${label}; this one holds ${stored.length}.`,
    })
  }
  return JSON.stringify([...stored, ...added])
}

/**
 * Notes that the player has seen the record. Seen is seen: said again, it changes nothing.
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function acknowledge(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  if (row.acknowledged_at !== null) return row
  return updateRecord(tx, ports, actor, { auditAction: 'acknowledge', change }, row, {
    acknowledged_at: ports.now(),
  })
}
