import { INBOX_PERMISSIONS, MAX_ID } from '@reeve/core'
import { statement } from '@reeve/db'
import { parseComments } from '../records/columns.ts'
import { INBOX_RECORD_COLUMNS, type InboxSource, MAX_INBOX_COUNT } from './source.ts'

interface AccountQuery {
  readonly workspaceId: string
  readonly accountId: string
  readonly limit: number
}

/** The ids of some comments that mention an account and that it has not read. */
export const unreadMentions = statement<AccountQuery>()((sql, p) =>
  sql
    .selectFrom('mention')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .where('read_at', 'is', null)
    .limit(p.limit),
)
const mentionsOfAccount = statement<AccountQuery & { before: string }>()((sql, p) =>
  sql
    .selectFrom('mention')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'mention.workspace_id')
        .onRef('record.id', '=', 'mention.record_id'),
    )
    .select([
      'mention.id as mention_id',
      'mention.comment_id',
      'mention.author_id',
      'mention.created_at',
      'mention.read_at',
      ...INBOX_RECORD_COLUMNS,
      'record.comments',
    ])
    .where('mention.workspace_id', '=', p.workspaceId)
    .where('mention.account_id', '=', p.accountId)
    .where('mention.id', '<', p.before)
    .orderBy('mention.id', 'desc')
    .limit(p.limit),
)

/** The comments that mention the reader, read ones too. The count is that of the unread ones. */
export const mentionSource: InboxSource = {
  permission: INBOX_PERMISSIONS.mentions,
  claimKind: 'record',
  async count(db, _, { workspaceId, id: accountId }) {
    return (await db.all(unreadMentions, { workspaceId, accountId, limit: MAX_INBOX_COUNT })).length
  },
  async list(db, _, { workspaceId, id: accountId }, { limit, after }) {
    const before = after?.id ?? MAX_ID
    const rows = await db.all(mentionsOfAccount, { workspaceId, accountId, limit, before })
    return rows.map(({ mention_id, comment_id, author_id, created_at, read_at, comments, ...record }) => ({
      id: mention_id,
      at: created_at,
      sortTime: created_at,
      isRead: read_at !== null,
      record,
      // A redaction has removed the comment.
      text: parseComments({ comments }).find(({ id }) => id === comment_id)?.text ?? null,
      actorId: author_id,
    }))
  },
}
