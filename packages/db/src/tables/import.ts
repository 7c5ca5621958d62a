import type { RecordAction } from '@reeve/core'
import { blob, id, int32, integer, nullable, type Row, text } from './column.ts'

export const importStates = ['receiving', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type ImportState = (typeof importStates)[number]

/** What can become of an entry of a file. `known` was imported before, and `lifted` ends what was imported before. */
export const importOutcomes = [
  'created',
  'known',
  'skipped',
  'merged',
  'superseded',
  'lifted',
  'unreadable',
] as const
export type ImportOutcome = (typeof importOutcomes)[number]

/** An import of records from another tool. */
export const importColumns = {
  workspace_id: id(),
  id: id(),
  format: text(),
  /** Names where the entries come from: together with their ids there, it identifies them. */
  source: text(),
  conflicts: text<'skip' | 'merge' | 'supersede'>(),
  is_dry_run: integer(),
  keeps_ip: integer(),
  /** JSON: of a CSV file, the header of the column with each field; null finds them by their names. */
  columns: nullable(text()),
  /** Of entries that do not have one. */
  default_action: text<RecordAction>(),
  file_name: text(),
  size_bytes: integer(),
  received_bytes: integer(),
  part_count: int32(),
  state: text<ImportState>(),
  /** For people: why it failed, or what to check although it has succeeded. */
  error: nullable(text()),
  /** How many entries of the file have been processed. */
  position: integer(),
  /** How many bytes of the file have been read. */
  read_bytes: integer(),
  created_count: integer(),
  known_count: integer(),
  skipped_count: integer(),
  merged_count: integer(),
  superseded_count: integer(),
  unreadable_count: integer(),
  lifted_count: integer(),
  /** 1 while rows may be left in `import_part`. */
  has_parts: integer(),
  /** JSON: who requested it, as in the audit log. */
  actor: text(),
  /** The process that runs it, and when that process last said so. */
  runner: nullable(text()),
  heartbeat_at: nullable(integer()),
  created_at: integer(),
  started_at: nullable(integer()),
  finished_at: nullable(integer()),
}
export type ImportTable = Row<typeof importColumns>

/** A piece of the file of an import. Deleted once it has ended. */
export const importPartColumns = {
  workspace_id: id(),
  import_id: id(),
  part: int32(),
  bytes: blob(),
}
export type ImportPartTable = Row<typeof importPartColumns>

/** What became of an entry of the file. */
export const importIssueColumns = {
  workspace_id: id(),
  import_id: id(),
  /** The number of the entry in the file. */
  number: integer(),
  line: integer(),
  outcome: text<ImportOutcome>(),
  /** The entry in a few words, or why it cannot be read. */
  message: text(),
}
export type ImportIssueTable = Row<typeof importIssueColumns>
