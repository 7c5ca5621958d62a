import { integer, nullable, type Row, text } from './column.ts'

/** A tenant. Every other tenant row leads with its id. */
export const workspaceColumns = {
  id: text(),
  group_name: text(),
  /** The name folded for search. */
  group_key: text(),
  owner_id: text(),
  created_by: text(),
  created_at: integer(),
  updated_at: integer(),
  archived_at: nullable(integer()),
  /** Calls a calendar month (UTC); null is without limit. */
  monthly_quota: nullable(integer()),
  version: integer(),
}
export type WorkspaceTable = Row<typeof workspaceColumns>
