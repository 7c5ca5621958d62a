/** A sealed snapshot of a workspace's content; its bytes are in `archive_part`. */
export interface ArchiveTable {
  workspace_id: string
  id: string
  group_name: string
  created_at: number
  created_by: string
  size_bytes: number
  /** SHA-256 in hex of all parts, joined in order. */
  sha256: string
  /** JSON: how many rows of each kind. */
  counts: string
}

export interface ArchivePartTable {
  workspace_id: string
  archive_id: string
  part: number
  bytes: Uint8Array
}
