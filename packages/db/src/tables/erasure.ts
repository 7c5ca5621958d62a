import { id, integer, nullable, type Row, text } from './column.ts'

/** `erase` deletes everything about a player; `pseudonymise` keeps the bans and mutes, under a keyed hash of the player's ID. */
export const erasureModes = ['erase', 'pseudonymise'] as const
export type ErasureMode = (typeof erasureModes)[number]

/** The request to erase a player. Once it is complete, nothing in it tells which player it was without the secret key of the instance. */
export const erasureColumns = {
  workspace_id: id(),
  id: id(),
  mode: text<ErasureMode>(),
  /** JSON array of the forms under which the player is stored; null once it is complete. */
  user_ids: nullable(text()),
  /**
   * JSON array of keyed hashes of these forms, which take their place: restores of older archives recognize the player by them. Null
   * until it is complete, and where an earlier version has completed it.
   */
  user_hashes: nullable(text()),
  /** The sequence of the entry of the audit log with which it was complete: earlier archives are older. Null likewise. */
  finished_sequence: nullable(integer()),
  reason: text(),
  /** JSON: who requested it, as in the audit log. */
  actor: text(),
  /** The number of the step that is next, and where the step continues; null at its beginning. */
  step: integer(),
  position: nullable(integer()),
  /** JSON: how much was erased, by what it is. */
  counts: text(),
  /** JSON array of the numbers of cases of other players whose texts contain the ID, for people to check. */
  mentioned_in: text(),
  /** When the oldest row about the player was created: earlier archives do not contain the player. Null without rows. */
  first_at: nullable(integer()),
  created_at: integer(),
  finished_at: nullable(integer()),
}
export type ErasureTable = Row<typeof erasureColumns>
