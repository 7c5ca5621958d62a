import { listMentionedIds, type Ports } from '@reeve/core'
import { insertAll, type MentionTable, type RecordTable, statement, type Transaction } from '@reeve/db'
import { findCaseStaff } from '../case-staff.ts'
import { parseComments, type StoredComment } from '../records/columns.ts'

const insertMention = statement<MentionTable>()((sql, p) => insertAll(sql, 'mention', p))
const deleteMentions = statement<{ workspaceId: string; recordId: string; commentIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .deleteFrom('mention')
      .where('workspace_id', '=', p.workspaceId)
      .where('record_id', '=', p.recordId)
      .where(dialect.inList('comment_id', p.commentIds)),
)

/** Puts a comment into the inbox of everyone it mentions, except for its author. */
export async function recordMentions(
  tx: Transaction,
  ports: Ports,
  { workspace_id, id }: Pick<RecordTable, 'workspace_id' | 'id'>,
  comment: Pick<StoredComment, 'id' | 'authorId' | 'createdAt'>,
  accountIds: Iterable<string>,
): Promise<void> {
  for (const accountId of accountIds) {
    if (accountId === comment.authorId) continue
    const row: MentionTable = {
      workspace_id,
      id: ports.newId(),
      account_id: accountId,
      record_id: id,
      comment_id: comment.id,
      author_id: comment.authorId,
      created_at: comment.createdAt,
      read_at: null,
    }
    await tx.run(insertMention, row)
    tx.announce({ kind: 'mention', workspaceId: workspace_id, id: row.id })
  }
}

/** Takes the comments that a reversal removes out of the inboxes, and puts those that it brings back into them. */
export async function followComments(
  tx: Transaction,
  ports: Ports,
  before: RecordTable,
  after: RecordTable,
): Promise<void> {
  if (before.comments === after.comments) return
  const [earlier, later] = [parseComments(before), parseComments(after)]
  const commentIds = listMissing(earlier, later).map(({ id }) => id)
  const { workspace_id: workspaceId, id: recordId } = after
  if ((await tx.run(deleteMentions, { workspaceId, recordId, commentIds })) > 0)
    tx.announce({ kind: 'mention', workspaceId, id: recordId })
  for (const comment of listMissing(later, earlier)) {
    const staff = await findCaseStaff(tx, workspaceId, listMentionedIds(comment.text))
    await recordMentions(tx, ports, after, comment, staff.keys())
  }
}

const listMissing = (comments: readonly StoredComment[], others: readonly StoredComment[]): StoredComment[] =>
  comments.filter(({ id }) => !others.some((other) => other.id === id))
