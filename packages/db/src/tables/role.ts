import { id, integer, nullable, type Row, text } from './column.ts'

export const roleColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  /** The normalized name: unique in a workspace. */
  name_key: text(),
  color: nullable(text()),
  /** Higher outranks lower. */
  rank: integer(),
  /** JSON array of permission names. */
  permissions: text(),
  /** JSON of the limits of its holders; null for none. */
  limits: nullable(text()),
  /** 1 for the owner role, which holds every permission and cannot be edited. */
  is_owner: integer(),
  /** Since when its members need a second factor; null if they do not. Follows from its permissions and those of the workspace. */
  second_factor_since: nullable(integer()),
  created_at: integer(),
  updated_at: integer(),
  version: integer(),
}
export type RoleTable = Row<typeof roleColumns>
