/** An image, stored once by what it holds. Belongs to no workspace: whoever holds its address may see it. */
export interface MediaTable {
  /** SHA-256 in hex. */
  hash: string
  extension: string
  content_type: string
  /** Null where they lie in a store of images. */
  bytes: Uint8Array | null
  created_at: number
}
