import { id, integer, nullable, type Row, text } from './column.ts'

/**
 * A record whose texts were removed, or a row about a player that was erased. Outlives the row, because older archives may still
 * contain it.
 */
export const redactionColumns = {
  workspace_id: id(),
  /** The record. Of an erased player also an appeal, a pinned note or a link. */
  record_id: id(),
  /** The last time. */
  redacted_at: integer(),
  /** The pseudonym under which a restore stores the player; empty for a row that it leaves out; null if only texts were removed. */
  stored_as: nullable(text()),
}
export type RedactionTable = Row<typeof redactionColumns>
