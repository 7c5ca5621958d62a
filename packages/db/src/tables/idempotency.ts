/** The first answer to an `Idempotency-Key`, kept in the transaction of its effect. */
export interface IdempotencyTable {
  /** Empty for calls that name no workspace. */
  workspace_id: string
  actor_id: string
  route: string
  key: string
  /** SHA-256 in hex of query and body. */
  request_hash: string
  status: number
  answer: string
  created_at: number
}
