import type { LinkConfidence } from '@reeve/core'
import { id, idOrText, int32, integer, type Row, text } from './column.ts'

/** Two players who may be the same person. */
export const playerLinkColumns = {
  workspace_id: id(),
  id: id(),
  /** The lower one of both ids in the order of their bytes. */
  first_user_id: text(),
  second_user_id: text(),
  confidence: text<LinkConfidence>(),
  reason: text(),
  created_by: idOrText(),
  created_at: integer(),
  updated_at: integer(),
  version: int32(),
}
export type PlayerLinkTable = Row<typeof playerLinkColumns>
