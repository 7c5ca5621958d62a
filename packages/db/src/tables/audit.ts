/** One row of a workspace's audit chain. Rows are only ever added. */
export interface AuditTable {
  /** `instance` for what belongs to no workspace. */
  workspace_id: string
  sequence: number
  id: string
  at: number
  actor_kind: 'api_key' | 'account' | 'system'
  actor_id: string
  actor_name: string
  action: string
  target_kind: string
  target_id: string
  /** JSON `{before, after, salt}`; null once its texts were redacted. The chain goes over its hash. */
  changes: string | null
  changes_hash: string
  address: string
  request_id: string
  previous_hash: string
  hash: string
}
