/** An image, stored once by what it holds. Belongs to no workspace: whoever holds its address may see it. */
export interface MediaTable {
  /** SHA-256 in hex. */
  hash: string
  extension: string
  content_type: string
  bytes: Uint8Array
  created_at: number
}
