/** A tenant. Every other tenant row leads with its id. */
export interface WorkspaceTable {
  id: string
  group_name: string
  /** The name folded for search. */
  group_key: string
  owner_id: string
  created_by: string
  created_at: number
  updated_at: number
  archived_at: number | null
  /** Calls a calendar month (UTC); null is without limit. */
  monthly_quota: number | null
  version: number
}
