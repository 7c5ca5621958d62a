import { redactedTexts } from '@reeve/core'
import { type RecordTable, recordColumns } from './tables/record.ts'

/**
 * Earlier versions of a record are stored as what the next change replaced. A version is read by applying the stored values to
 * the next version, from the current record backwards. Every so many versions one has all values, so that reading old versions
 * of a record with thousands of them starts there.
 */
export const COMPLETE_VERSION_INTERVAL = 128

/** The columns of a record that no change replaces. */
export const FIXED_RECORD_COLUMNS = [
  'case_number',
  'action',
  'user_id',
  'actor_kind',
  'actor_id',
  'actor_username',
  'actor_platform_user_id',
  'created_at',
  'occurred_at',
  'original_moderator',
  'source',
  'source_id',
  'appeal_code',
  'appeal_from',
  'appeal_until',
  'template_id',
  'template_version',
  'ladder_id',
  'ladder_version',
  'step',
  'counts_until',
  'public_reason',
] as const

const fixedColumns: ReadonlySet<string> = new Set(['workspace_id', 'id', ...FIXED_RECORD_COLUMNS])

/** The columns that changes replace. */
export const VERSION_COLUMNS: readonly (keyof RecordTable)[] = (
  Object.keys(recordColumns) as (keyof RecordTable)[]
).filter((column) => !fixedColumns.has(column))

/** A text of which only a part was replaced: the lengths of what both texts start and end with, and what was between them. */
type TextPart = readonly [start: number, replaced: string, end: number]

type Value = string | number | null

/** The JSON of a stored version: the values that differ from the next version, by column. */
type ReplacedValues = Readonly<Record<string, Value | TextPart>>

/** The JSON to store for a version. @param after the version that replaces it */
export function formatVersion(before: RecordTable, after: RecordTable): string {
  const isComplete = before.version % COMPLETE_VERSION_INTERVAL === 0
  const values: Record<string, Value | TextPart> = {}
  for (const column of VERSION_COLUMNS) {
    const [old, value] = [before[column], after[column]]
    if (column === 'version') continue
    if (isComplete) values[column] = old
    else if (old !== value) values[column] = findReplacedPart(old, value)
  }
  return JSON.stringify(values)
}

/**
 * Rebuilds a version.
 * @param next the version after it, or any later one if the version has all values
 * @param values the parsed JSON of the version
 */
export function applyVersion(next: RecordTable, version: number, values: ReplacedValues): RecordTable {
  const row: Record<string, unknown> = { ...next, version }
  for (const [column, value] of Object.entries(values)) {
    row[column] = Array.isArray(value) ? insertReplacedPart(String(row[column]), value as TextPart) : value
  }
  return row as unknown as RecordTable
}

/**
 * Removes the texts from a stored version. It no longer depends on the texts of later versions, nor on their redaction.
 * @param redactedAt when the version was redacted before, unless it says so itself
 */
export function redactVersion(json: string, redactedAt: number | null): string {
  return JSON.stringify({ redacted_at: redactedAt, ...JSON.parse(json), ...redactedTexts })
}

/**
 * Removes the texts from a version in an archive of a record that is redacted by now.
 * @param current the stored version of the same number. If it is the same, the record was redacted before the archive was
 *   created; if there is none, or another one, the record has a different history since
 */
export function redactArchivedVersion(archived: string, current: string | undefined): string {
  if (archived === current) return archived
  const redactedAt = current === undefined ? null : (JSON.parse(current).redacted_at ?? null)
  return redactVersion(archived, redactedAt)
}

/** The values of a record of a player who is stored under a pseudonym: the name, and the entry of the file that it was imported from. */
export const ERASED_COLUMNS = { user_username: null, source: null, source_id: null } as const

/** Removes the name of the player from a stored version of a record that has none any more. */
export function removePlayerName(json: string): string {
  const { user_username: _, ...values } = JSON.parse(json)
  return JSON.stringify(values)
}

/** More than the JSON of a replaced part without its text. */
const PART_CHARACTERS = 24

function findReplacedPart(old: Value, value: Value): Value | TextPart {
  if (typeof old !== 'string' || typeof value !== 'string') return old
  const shorter = Math.min(old.length, value.length)
  let start = 0
  while (start < shorter && old.charCodeAt(start) === value.charCodeAt(start)) start++
  let end = 0
  while (
    end < shorter - start &&
    old.charCodeAt(old.length - 1 - end) === value.charCodeAt(value.length - 1 - end)
  )
    end++
  return start + end > PART_CHARACTERS ? [start, old.slice(start, old.length - end), end] : old
}

const insertReplacedPart = (next: string, [start, replaced, end]: TextPart): string =>
  next.slice(0, start) + replaced + next.slice(next.length - end)
