import { integer, type Row, text } from './column.ts'

/** The first answer to an `Idempotency-Key`, kept in the transaction of its effect. */
export const idempotencyColumns = {
  /** Empty for calls that name no workspace. */
  workspace_id: text(),
  actor_id: text(),
  route: text(),
  key: text(),
  /** SHA-256 in hex of query and body. */
  request_hash: text(),
  status: integer(),
  answer: text(),
  created_at: integer(),
}
export type IdempotencyTable = Row<typeof idempotencyColumns>
