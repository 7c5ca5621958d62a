import type { Severity } from '@reeve/core'
import { id, integer, nullable, type Row, text } from './column.ts'

/** A reason that staff choose for a record, with what the player reads. */
export const templateColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  name_key: text(),
  public_reason: text(),
  /** Null for the severity of the action. */
  default_severity: nullable(text<Severity>()),
  /** 1 if players can appeal against its records. */
  is_appealable: integer(),
  appeal_after_days: integer(),
  /** The ladder that decides the action; null if the moderator does. */
  ladder_id: nullable(id()),
  position: integer(),
  created_at: integer(),
  updated_at: integer(),
  archived_at: nullable(integer()),
  version: integer(),
}
export type TemplateTable = Row<typeof templateColumns>
