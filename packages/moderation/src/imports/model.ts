import { recordActions, wire } from '@reeve/core'
import { type ImportTable, importOutcomes, importStates } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { base64Codec } from '../base64-codec.ts'
import { csvFields } from './formats/generic-csv.ts'
import { parsers } from './formats/index.ts'

export type ImportFormat = keyof typeof parsers
export const importFormats = Object.keys(parsers) as readonly ImportFormat[]

export const conflictModes = ['skip', 'merge', 'supersede'] as const

/** The largest file, in bytes. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024
/** The largest piece in which it is sent. */
export const MAX_PART_BYTES = 256 * 1024

/** A name of the source of entries, such as one of several servers with the same tool. */
export const sourceName: wire.Codec<string> = {
  read(text) {
    if (!/^[a-z0-9][a-z0-9_.-]{0,39}$/.test(text))
      throw new wire.WireError('must be 1 to 40 characters of a-z 0-9 _ . -, the first a letter or digit')
    return text
  },
  write: (text) => text,
  description: 'Names where the entries come from; by default the format',
  example: 'litebans-survival',
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === 'string')

/** JSON: the header of the column with each field. */
export const columnMap: wire.Codec<Readonly<Record<string, string>>> = {
  read(text) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new wire.WireError('must be a JSON object of fields and headers')
    }
    if (!isTexts(value)) throw new wire.WireError('must be a JSON object of fields and headers')
    const unknown = Object.keys(value).filter((field) => !Object.hasOwn(csvFields, field))
    if (unknown.length > 0)
      throw new wire.WireError(
        `names unknown fields: ${unknown.join(', ')}; fields are ${Object.keys(csvFields).join(', ')}`,
      )
    return value
  },
  write: (value) => JSON.stringify(value),
  description: `JSON object: of a CSV file, the header of the column with each field (${Object.keys(csvFields).join(', ')}); without it, the usual headers are found`,
  example: '{"userId":"player","occurredAt":"date"}',
}

const workspaceId = inputField(wire.id, 'The workspace')

/** A new import. The command line has the same fields. */
export const ImportRequest = requestObject({
  workspaceId,
  format: inputField(wire.oneOf(importFormats), 'What the file is'),
  fileName: inputField(wire.name({ min: 1, max: 255, example: 'litebans.sql' }), 'The name of the file'),
  sizeBytes: inputField(
    wire.integer({ min: 1, max: MAX_FILE_BYTES, example: '48213' }),
    'The size of the file',
  ),
  source: inputField(sourceName),
  conflicts: inputField(
    wire.oneOf(conflictModes),
    'If a player has an active sanction already: `skip` the imported one, `merge` both, or `supersede` the current one. By default `skip`',
  ),
  dryRun: inputField(wire.boolean, 'Whether to report what would happen, and change nothing'),
  keepIp: inputField(wire.boolean, 'Whether to keep IP addresses, as evidence; by default they are dropped'),
  columns: inputField(columnMap),
  defaultAction: inputField(
    wire.oneOf(recordActions),
    'The action of entries that do not have one. By default `ban`',
  ),
})
export type ImportInput = Static<typeof ImportRequest>

export const ImportPartRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The import'),
  part: inputField(wire.integer({ min: 0, max: 1_000_000, example: '0' }), 'The number of the piece, from 0'),
  data: inputField(base64Codec('A piece of the file', MAX_PART_BYTES)),
})
export type ImportPartInput = Static<typeof ImportPartRequest>

export const ImportIdRequest = requestObject({ workspaceId, id: inputField(wire.id, 'The import') })
export type ImportIdInput = Static<typeof ImportIdRequest>

export const ImportsQuery = requestObject({ workspaceId, ...pageFields })
export type ImportsQueryInput = Static<typeof ImportsQuery>

export const ImportIssuesQuery = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The import'),
  outcome: inputField(wire.oneOf(importOutcomes), 'Which entries'),
  ...pageFields,
})
export type ImportIssuesQueryInput = Static<typeof ImportIssuesQuery>

const count = (description: string) => stringField(description, '3')

const Import = responseObject(
  {
    id: stringField('ID of the import'),
    workspaceId: stringField('The workspace'),
    format: Type.String({ enum: [...importFormats], description: 'What the file is' }),
    source: stringField('Names where the entries come from', 'litebans'),
    conflicts: Type.String({ enum: [...conflictModes], description: 'What happens with active sanctions' }),
    dryRun: stringField('`true` if it changes nothing', 'false'),
    fileName: stringField('The name of the file', 'litebans.sql'),
    state: Type.String({
      enum: [...importStates],
      description: '`receiving`, `queued` and `running` are unfinished',
    }),
    progress: stringField('From `0` to `1`', '0.42'),
    receivedBytes: stringField('How much of the file has arrived', '48213'),
    sizeBytes: stringField('The size of the file', '48213'),
    processed: count('How many entries have been processed'),
    created: count('How many records were created, or would be'),
    known: count('How many entries had been imported before, and change nothing'),
    skipped: count(
      'How many entries were left out, because the player has an active sanction, or its end was changed here',
    ),
    merged: count('How many entries were merged with an active sanction'),
    superseded: count('How many entries replaced an active sanction'),
    lifted: count('How many entries had been imported before, and were lifted, revoked or replaced since'),
    unreadable: count('How many entries cannot be read'),
    canBeApplied: stringField('`true` after a dry run, while the file is still there', 'false'),
    error: nullableString('Why it failed'),
    warning: nullableString('What to check although it succeeded'),
    createdAt: stringField('When it was requested', wire.time.example),
    finishedAt: nullableString('When it ended', wire.time.example),
  },
  'An import of records',
  'Import',
)
export type Import = (typeof Import)['static']

export const ImportResponse = responseObject({ import: Import }, 'The import')
export const ImportsResponse = responseObject(
  { imports: Type.Array(Import), nextCursor },
  'Imports, newest first',
)
export const ImportIssuesResponse = responseObject(
  {
    issues: Type.Array(
      responseObject(
        {
          line: stringField('The line of the file', '12'),
          outcome: Type.String({ enum: [...importOutcomes], description: 'What became of it' }),
          message: stringField('The entry, or why it cannot be read'),
        },
        'An entry of the file',
      ),
    ),
    nextCursor,
  },
  'Entries of the file',
)

const PROGRESS_DIGITS = 3

/** How much of the import is done, from 0 to 1. Receiving the file and reading it count the same. */
function computeProgress({ state, size_bytes, received_bytes, read_bytes }: ImportTable): number {
  if (state === 'succeeded') return 1
  return (received_bytes + Math.min(read_bytes, received_bytes)) / (2 * size_bytes)
}

/** Converts a row to its API representation. */
export const presentImport = (row: ImportTable): Import => ({
  id: row.id,
  workspaceId: row.workspace_id,
  format: row.format,
  source: row.source,
  conflicts: row.conflicts,
  dryRun: wire.boolean.write(row.is_dry_run === 1),
  fileName: row.file_name,
  state: row.state,
  progress: String(Number(computeProgress(row).toFixed(PROGRESS_DIGITS))),
  receivedBytes: String(row.received_bytes),
  sizeBytes: String(row.size_bytes),
  processed: String(row.position),
  created: String(row.created_count),
  known: String(row.known_count),
  skipped: String(row.skipped_count),
  merged: String(row.merged_count),
  superseded: String(row.superseded_count),
  lifted: String(row.lifted_count),
  unreadable: String(row.unreadable_count),
  canBeApplied: wire.boolean.write(row.is_dry_run === 1 && row.state === 'succeeded' && row.has_parts === 1),
  error: row.state === 'succeeded' ? null : row.error,
  warning: row.state === 'succeeded' ? row.error : null,
  createdAt: wire.time.write(row.created_at),
  finishedAt: wire.writeNullableTime(row.finished_at),
})
