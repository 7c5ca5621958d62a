import { id, integer, nullable, type Row, text } from './column.ts'

export const workspaceJobKinds = ['archive', 'copy', 'roll_back', 'download'] as const
export type WorkspaceJobKind = (typeof workspaceJobKinds)[number]

export const workspaceJobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type WorkspaceJobState = (typeof workspaceJobStates)[number]

/** Work on a whole workspace, done in small steps. */
export const workspaceJobColumns = {
  /** For a copy, the workspace of the archive. */
  workspace_id: id(),
  id: id(),
  kind: text<WorkspaceJobKind>(),
  state: text<WorkspaceJobState>(),
  step: text(),
  /** The progress within the step. */
  done: integer(),
  total: integer(),
  /** JSON: where the step continues; null at its beginning. */
  position: nullable(text()),
  /** JSON: who requested it, as in the audit log. */
  actor: text(),
  /** The new name of the workspace; null keeps that of the archive. */
  group_name: nullable(text()),
  /** The archive that it reads. */
  archive_id: nullable(id()),
  /** The archive that it creates. */
  new_archive_id: nullable(id()),
  /** The workspace that it creates. */
  new_workspace_id: nullable(id()),
  /** Why it failed, for people. */
  error: nullable(text()),
  /** 1 while rows may be left in `workspace_job_row`. */
  has_staged_rows: integer(),
  /** The process that runs it, and when that process last said so. */
  runner: nullable(text()),
  heartbeat_at: nullable(integer()),
  created_at: integer(),
  started_at: nullable(integer()),
  finished_at: nullable(integer()),
}
export type WorkspaceJobTable = Row<typeof workspaceJobColumns>

/** A change that a roll-back has found and not yet applied. */
export const workspaceJobRowColumns = {
  workspace_id: id(),
  job_id: id(),
  number: integer(),
  /** What is changed. */
  kind: text(),
  /** The player, for changes of sanctions: those of one player are applied together. */
  user_id: nullable(text()),
  /** The record, appeal or event. */
  target_id: nullable(id()),
  /** JSON of the archived row; null deletes the current one. */
  data: nullable(text()),
}
export type WorkspaceJobRowTable = Row<typeof workspaceJobRowColumns>
