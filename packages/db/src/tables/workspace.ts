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
  /** When everything in it will be deleted; null unless its deletion was requested. */
  delete_at: nullable(integer()),
  /** Requests per calendar month (UTC); null for no limit. */
  monthly_quota: nullable(integer()),
  /** In bytes; null for the default of the instance, 0 for no limit. */
  storage_quota: nullable(integer()),
  /** The template of links to players' profiles on the game platform, with `{id}`; null for none. */
  profile_url: nullable(text()),
  /** How long a ban that waits for approval is in effect; null for the default. */
  approval_hours: nullable(integer()),
  /**
   * JSON array of the platforms that ids of players without a platform mean, or meant before the default changed: the default first.
   * Null for Roblox.
   */
  platforms: nullable(text()),
  /**
   * The key of the pseudonyms of erased players, encrypted with the key of the instance; null while no player is stored under one, so
   * that ban checks need not look for any.
   */
  pseudonym_key: nullable(text()),
  /** The key of the hashes by which restores recognize erased players, encrypted likewise; null while nobody has been erased. */
  erasure_key: nullable(text()),
  /** JSON array of the permissions whose holders need a second factor; null if nobody does. */
  second_factor_permissions: nullable(text()),
  /** How many days members have to add one; null together with the permissions. */
  second_factor_grace_days: nullable(integer()),
  /**
   * Set while a copy of an archive is incomplete (`building`) or is being deleted (`deleting`), and while a workspace is being deleted
   * for good (`purging`): nobody can see it then.
   */
  hidden: nullable(text<'building' | 'deleting' | 'purging'>()),
  version: integer(),
}
export type WorkspaceTable = Row<typeof workspaceColumns>
