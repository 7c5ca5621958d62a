import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** A tenant. The keys of all tenant tables begin with its id. */
export const workspaceColumns = {
  id: id(),
  group_name: text(),
  /** The normalized name, for search. */
  group_key: text(),
  owner_id: id(),
  created_by: idOrText(),
  created_at: integer(),
  updated_at: integer(),
  archived_at: nullable(integer()),
  /** Requests per calendar month (UTC); null for no limit. */
  monthly_quota: nullable(integer()),
  /** In bytes; null for the default of the instance, 0 for no limit. */
  storage_quota: nullable(integer()),
  /** The template of links to players' profiles on the game platform, with `{id}`; null for none. */
  profile_url: nullable(text()),
  /** Set while a copy of an archive is incomplete, or is being deleted: nobody can see the workspace then. */
  hidden: nullable(text<'building' | 'deleting'>()),
  version: integer(),
}
export type WorkspaceTable = Row<typeof workspaceColumns>
