import type { AppealAuthor, AppealState } from '@reeve/core'
import { id, idOrText, int32, integer, nullable, type Row, text } from './column.ts'

/** A request of a player to lift or shorten a ban. A ban has at most one that is open. */
export const appealColumns = {
  workspace_id: id(),
  id: id(),
  record_id: id(),
  /** Of the ban, like the player: neither ever changes. */
  case_number: int32(),
  user_id: text(),
  user_username: nullable(text()),
  /** As of the last change: an open appeal has expired once `ban_expires_at` has passed. */
  state: text<AppealState>(),
  /** When the ban expires; null is never. Follows the ban while the appeal is open. */
  ban_expires_at: nullable(integer()),
  submitted_at: integer(),
  updated_at: integer(),
  /** When it was decided, withdrawn, or lost its ban; null while it is open. */
  closed_at: nullable(integer()),
  /** When staff decided it, and how many milliseconds that took; null in every other case. */
  decided_at: nullable(integer()),
  waited_ms: nullable(integer()),
  decided_by: nullable(idOrText()),
  /** What the decision did, as a sentence. */
  effect: nullable(text()),
  /** After a denial: when the player can appeal again. */
  next_appeal_at: nullable(integer()),
  /** 1 if the denial is the last word. */
  is_final: int32(),
  /** JSON array of the questions and their answers. */
  answers: text(),
  message_count: int32(),
  version: int32(),
}
export type AppealTable = Row<typeof appealColumns>

/** A message about an appeal: public ones are for the player too, internal ones for staff only. */
export const appealMessageColumns = {
  workspace_id: id(),
  appeal_id: id(),
  id: id(),
  author: text<AppealAuthor>(),
  is_internal: int32(),
  /** The account of staff, or the API key that the player's message came through; null for the public page. */
  author_id: nullable(idOrText()),
  text: text(),
  created_at: integer(),
}
export type AppealMessageTable = Row<typeof appealMessageColumns>

/** How a workspace handles appeals. A workspace without a row has the defaults. */
export const appealSettingsColumns = {
  workspace_id: id(),
  /** 1 if bans can be appealed unless their template says otherwise. */
  is_enabled: int32(),
  /** Days after the ban from which it can be appealed. */
  after_days: int32(),
  /** For how many days from then on; null without a limit. */
  window_days: nullable(int32()),
  /** Days after a denial until the next appeal. */
  cooldown_days: int32(),
  /** 1 if the person who banned may decide. */
  allows_own_decision: int32(),
  /** 1 if players can send files with an appeal. */
  allows_files: int32(),
  /** What players read above the form. */
  introduction: nullable(text()),
  /** JSON array of the questions of the form. */
  questions: text(),
  updated_at: integer(),
  version: int32(),
}
export type AppealSettingsTable = Row<typeof appealSettingsColumns>
