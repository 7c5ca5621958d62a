import type { Actor, Ports } from '@reeve/core'
import { insertAll, type MentionTable, statement, type Transaction } from '@reeve/db'

const insertMention = statement<MentionTable>()((sql, p) => insertAll(sql, 'mention', p))

/** Puts a comment into the inbox of everyone it mentions, except for its author. */
export async function recordMentions(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  comment: { readonly recordId: string; readonly commentId: string; readonly accountIds: readonly string[] },
): Promise<void> {
  for (const accountId of comment.accountIds) {
    if (accountId === actor.id) continue
    const row: MentionTable = {
      workspace_id: actor.workspaceId,
      id: ports.newId(),
      account_id: accountId,
      record_id: comment.recordId,
      comment_id: comment.commentId,
      author_id: actor.id,
      created_at: ports.now(),
      read_at: null,
    }
    await tx.run(insertMention, row)
    tx.announce({ kind: 'mention', workspaceId: row.workspace_id, id: row.id })
  }
}
