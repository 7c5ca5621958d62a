import { hash, id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** The first response to an `Idempotency-Key`, stored in the transaction of the request. */
export const idempotencyColumns = {
  /** Empty for requests outside a workspace. */
  workspace_id: id(),
  actor_id: idOrText(),
  route: text(),
  key: text(),
  /** SHA-256 in hex of query and body. */
  request_hash: hash(),
  status: integer(),
  answer: text(),
  created_at: integer(),
  /** The record whose texts the response contains: a redaction replaces them. A file that was uploaded before its record until that exists. */
  record_id: nullable(text()),
}
export type IdempotencyTable = Row<typeof idempotencyColumns>
