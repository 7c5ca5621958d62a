import { id, int32, integer, nullable, type Row } from './column.ts'

/** After how many days a workspace deletes the records of each action. A workspace without a row deletes none. */
export const retentionColumns = {
  workspace_id: id(),
  /** Days after the last change of a record; null keeps the records of the action. */
  note_days: nullable(int32()),
  warn_days: nullable(int32()),
  kick_days: nullable(int32()),
  mute_days: nullable(int32()),
  ban_days: nullable(int32()),
  updated_at: integer(),
  version: int32(),
}
export type RetentionTable = Row<typeof retentionColumns>

/** The last run that deleted records, or the one in progress: how far it has got, so that another process can continue it. */
export const retentionRunColumns = {
  workspace_id: id(),
  /** The day of the run in UTC, in days since 1970: its midnight is the time from which the rules count back. */
  day: int32(),
  /** The case number up to which the records have been examined. */
  position: int32(),
  /** How many were deleted. */
  note_count: int32(),
  warn_count: int32(),
  kick_count: int32(),
  mute_count: int32(),
  ban_count: int32(),
  /** How many appeals were deleted with their bans. */
  appeal_count: int32(),
  /** When the audit log got its entry; null while the run is in progress. */
  finished_at: nullable(integer()),
}
export type RetentionRunTable = Row<typeof retentionRunColumns>
