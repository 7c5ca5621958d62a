import { id, idOrText, integer, nullable, type Row } from './column.ts'

/** A member that a comment mentions. The comment has the text and the name of its author. */
export const mentionColumns = {
  workspace_id: id(),
  id: id(),
  account_id: id(),
  record_id: id(),
  comment_id: id(),
  author_id: idOrText(),
  created_at: integer(),
  read_at: nullable(integer()),
}
export type MentionTable = Row<typeof mentionColumns>
