import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** What staff see first about a player: a record, or a text of its own. */
export const pinnedNoteColumns = {
  workspace_id: id(),
  id: id(),
  user_id: text(),
  /** Null for a text. */
  record_id: nullable(id()),
  /** Null for a record. */
  text: nullable(text()),
  created_by: idOrText(),
  created_at: integer(),
}
export type PinnedNoteTable = Row<typeof pinnedNoteColumns>
