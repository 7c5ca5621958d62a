import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { type Change, given } from './change.ts'
import { commentsIn, evidenceIn, type StoredComment } from './model.ts'
import { needTexts } from './redact.ts'
import { changeRow, recordById } from './rows.ts'
import { commentText, evidenceLines, MAX_COMMENTS, MAX_EVIDENCE, valueAs } from './texts.ts'

/** Appends a comment. @throws AppError `not_found`, `version_mismatch`, `conflict` where it is full or redacted */
export async function comment(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: Change,
): Promise<RecordTable> {
  const text = valueAs(commentText, given(change, 'value'))
  const row = await recordById(tx, actor, given(change, 'id'))
  assertVersion(row, change.ifMatch)
  needTexts(row)
  const made: StoredComment = {
    id: ports.newId(),
    text,
    authorId: actor.id,
    authorUsername: change.actorUsername || actor.name,
    createdAt: ports.now(),
  }
  const comments = appended(commentsIn(row), [made], MAX_COMMENTS, 'comments')
  return changeRow(tx, ports, actor, { verb: 'comment', change }, row, { comments })
}

/** Appends evidence. @throws AppError as `comment` */
export async function addEvidence(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: Change,
): Promise<RecordTable> {
  const items = valueAs(evidenceLines, given(change, 'value'))
  const row = await recordById(tx, actor, given(change, 'id'))
  assertVersion(row, change.ifMatch)
  needTexts(row)
  const evidence = appended(evidenceIn(row), items, MAX_EVIDENCE, 'pieces of evidence')
  return changeRow(tx, ports, actor, { verb: 'evidence', change }, row, { evidence })
}

function appended<T>(kept: readonly T[], more: readonly T[], most: number, what: string): string {
  if (kept.length + more.length > most) {
    throw new AppError('conflict', {
      message: `A record holds at most ${most} ${what}; this one holds ${kept.length}.`,
    })
  }
  return JSON.stringify([...kept, ...more])
}

/**
 * Notes that the player has seen the record. Seen is seen: said again, it changes nothing.
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function acknowledge(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: Change,
): Promise<RecordTable> {
  const row = await recordById(tx, actor, given(change, 'id'))
  assertVersion(row, change.ifMatch)
  if (row.acknowledged_at !== null) return row
  return changeRow(tx, ports, actor, { verb: 'acknowledge', change }, row, { acknowledged_at: ports.now() })
}
