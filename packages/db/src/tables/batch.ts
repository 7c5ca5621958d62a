import { id, idOrText, int32, integer, nullable, type Row, text } from './column.ts'

const batchKinds = ['actions', 'undo', 'reversal'] as const
export type BatchKind = (typeof batchKinds)[number]

const batchStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type BatchState = (typeof batchStates)[number]

/** Many moderation actions that were requested together, and are done one after the other. */
export const batchColumns = {
  workspace_id: id(),
  id: id(),
  /** `actions` on a list of targets, `undo` of what an actor did, `reversal` of another batch. */
  kind: text<BatchKind>(),
  state: text<BatchState>(),
  /** The moderation action; null for an undo or a reversal. */
  action: nullable(text()),
  /** JSON: the fields of the action. Null once the batch has ended, so that no text is stored that a redaction does not find. */
  input: nullable(text()),
  /** An undo: whose changes, and from which time. */
  target_actor_id: nullable(idOrText()),
  since: nullable(integer()),
  /**
   * A sequence of the audit log. An undo: up to which the changes are undone. Actions: up to which the user who started
   * them knows the sanctions that they replace or lift; null if they do neither.
   */
  until_sequence: nullable(integer()),
  /** A reversal: of which batch. */
  reverses_id: nullable(id()),
  /** The batch that has reversed this one, or is about to. */
  reversed_by_id: nullable(id()),
  /** JSON: who requested it, as in the audit log. */
  actor: text(),
  /** Where listing the items continues; null once all are listed. */
  position: nullable(integer()),
  total: int32(),
  succeeded: int32(),
  unchanged: int32(),
  failed: int32(),
  /** Why it stopped, for people. */
  error: nullable(text()),
  /** The process that runs it, and when that process last said so. */
  runner: nullable(text()),
  heartbeat_at: nullable(integer()),
  created_at: integer(),
  started_at: nullable(integer()),
  finished_at: nullable(integer()),
}
export type BatchTable = Row<typeof batchColumns>

export const batchItemStates = ['pending', 'succeeded', 'unchanged', 'failed'] as const
export type BatchItemState = (typeof batchItemStates)[number]

/** One target of a batch, and what became of it. */
export const batchItemColumns = {
  workspace_id: id(),
  batch_id: id(),
  /** The order in which items are done, from the lowest. */
  number: integer(),
  /** A player or a record. */
  target: text(),
  /** A reversal: the sequences of what it reverses. */
  reverses_from: nullable(integer()),
  reverses_to: nullable(integer()),
  state: text<BatchItemState>(),
  /** The record that was created or changed. */
  record_id: nullable(id()),
  /** The sequences of its changes in the audit log, first and last. */
  from_sequence: nullable(integer()),
  to_sequence: nullable(integer()),
  /** The code and the message of the error. */
  code: nullable(text()),
  message: nullable(text()),
}
export type BatchItemTable = Row<typeof batchItemColumns>
