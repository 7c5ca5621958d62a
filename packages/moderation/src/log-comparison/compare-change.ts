import { BULK_ACTION, type LoggedChange, parseChanges } from '@reeve/audit'
import { HOUR_MS, isSanctionKind, type RecordStatus } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { presentStoredRecord } from '../records/model.ts'
import { hasExpired } from '../records/sanction.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that the log does not have, or that depend on the time at which they were read. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['id', 'workspaceId', 'status', 'createdAt', 'updatedAt', 'sequence', 'version'],
])

/** The fields that a redaction changes, also in earlier versions. */
const REDACTED_FIELDS: ReadonlySet<string> = new Set([
  ...['reason', 'evidence', 'evidenceFiles', 'comments', 'revokeReason', 'redactedAt'],
])

/** How much time can pass between the times of a record and of its entry in the log: a transaction can wait for others. */
const MAX_DELAY_MS = HOUR_MS

/** How a change ends a record, by its action. */
const ENDINGS: Readonly<Record<string, RecordStatus>> = {
  'moderation.unban': 'revoked',
  'moderation.unmute': 'revoked',
  'moderation.revoke': 'revoked',
  'moderation.reject': 'revoked',
  'moderation.supersede': 'superseded',
  'moderation.expire': 'expired',
}

/** The reversal of a change gives a record any status that it had before; the log says which. */
const RESTORING: ReadonlySet<string> = new Set(['moderation.restore'])

/** A field of a record that is not what the log says: after a change, or only before it. */
export interface FieldDifference {
  readonly field: string
  readonly side: 'before' | 'after'
}

/**
 * Compares a change in the log with the versions of the record before and after it.
 * @param before the version before the change; null if the change created the record
 * @param isRedacted whether the texts of the record were redacted later, or retention rules have deleted it and a roll-back has
 *   brought it back
 */
export function compareChange(
  change: LoggedChange,
  before: RecordTable | null,
  after: RecordTable,
  isRedacted: boolean,
): FieldDifference[] {
  const differences = compareColumns(change, before, after)
  const add = (field: string, side: FieldDifference['side'] = 'after') => differences.push({ field, side })
  if (change.changes === null) {
    if (!isRedacted) add('redactedAt')
    return differences
  }
  const logged = parseChanges(change.changes)
  if ((logged.before === null) !== (before === null)) {
    add('version')
    return differences
  }
  const [old, current] = [before && toFields(before), toFields(after)]
  for (const field of Object.keys(current)) {
    if (IGNORED.has(field) || (isRedacted && REDACTED_FIELDS.has(field))) continue
    if (old === null) {
      if (!isCreatedWith(change, logged.after ?? {}, field, current[field])) add(field)
    } else {
      const side = findChangedSide(logged, field, old[field], current[field])
      if (side !== null) add(field, side)
    }
  }
  return differences
}

/** The author of an imported record is the import, and that of its entry who requested it. */
const isImported = (change: LoggedChange, after: RecordTable): boolean =>
  change.action === BULK_ACTION && after.actor_kind === 'system'

/**
 * How the record has ended after a change. An import can end one in any way, so its entry has the status, unless that was `expired` before: version
 * 1.0 did not log that an import marks a sanction as expired.
 * @returns undefined if the entry had it and was redacted
 */
function findEnding(
  change: LoggedChange,
  before: RecordTable | null,
  after: RecordTable,
): RecordStatus | null | undefined {
  const ending = ENDINGS[change.action] ?? before?.ended ?? null
  if (change.action !== BULK_ACTION) return ending
  if (change.changes === null) return undefined
  const status = parseChanges(change.changes).after?.status
  if (status === undefined)
    return after.ended === 'expired' && hasExpired(after, change.at) ? 'expired' : ending
  return status === 'active' ? null : (status as RecordStatus)
}

/** Compares what the columns of the entry say about the record. */
function compareColumns(
  change: LoggedChange,
  before: RecordTable | null,
  after: RecordTable,
): FieldDifference[] {
  const isNear = (time: number) => Math.abs(change.at - time) <= MAX_DELAY_MS
  const ending = RESTORING.has(change.action) ? undefined : findEnding(change, before, after)
  const fields = [
    ...(ending === undefined || ending === after.ended ? [] : ['status']),
    ...(isNear(after.updated_at) ? [] : ['updatedAt']),
    ...(before !== null || change.actor_kind === after.actor_kind || isImported(change, after)
      ? []
      : ['actorKind']),
    ...(before !== null || isNear(after.created_at) ? [] : ['createdAt']),
  ]
  return fields.map((field) => ({ field, side: 'after' }))
}

/** Compares the columns of a record that follow from others. @param redactedAt of the last redaction; null if there is none */
export function compareDerivedColumns(row: RecordTable, redactedAt: number | null): string[] {
  const { evidence, evidenceFiles, comments } = presentStoredRecord(row, 0)
  const isInForce = isSanctionKind(row.action) && row.ended === null
  const hasText = row.reason !== null || evidence.length + evidenceFiles.length + comments.length > 0
  return [
    ...(row.in_force === (isInForce ? 1 : 0) ? [] : ['in_force']),
    ...(row.evidence_count === evidence.length ? [] : ['evidence_count']),
    ...(row.evidence_file_count === evidenceFiles.length ? [] : ['evidence_file_count']),
    ...(row.comment_count === comments.length ? [] : ['comment_count']),
    ...(row.redacted_at === redactedAt ? [] : ['redactedAt']),
    ...(redactedAt !== null && hasText ? ['redacted texts'] : []),
  ]
}

const toFields = (row: RecordTable): Fields => presentStoredRecord(row, 0)

/** Whether two versions of a record have the same value. */
export const hasSameField = (one: RecordTable, other: RecordTable, field: string): boolean =>
  isSame(toFields(one)[field], toFields(other)[field])

/** The log leaves out what a new record does not have, and the actor, who is in columns of the entry. */
function isCreatedWith(change: LoggedChange, logged: Fields, field: string, value: unknown): boolean {
  if (field in logged) return isSame(value, logged[field])
  if (field === 'actorUserId') return value === change.actor_id
  if (field === 'actorUsername' && (value === change.actor_name || isImportOfBlankedName(change))) return true
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** The moderator in the file can have had the name of the account that imported it, which was blanked since, while the record keeps it. */
const isImportOfBlankedName = ({ action, actor_name }: LoggedChange): boolean =>
  action === BULK_ACTION && actor_name === ''

/** The side of a change on which a field is not what the log says; null if it is on both. */
function findChangedSide(
  { before, after, unchangedItems }: ReturnType<typeof parseChanges>,
  field: string,
  old: unknown,
  value: unknown,
): FieldDifference['side'] | null {
  if (after === null || before === null || !(field in after)) return isSame(old, value) ? null : 'after'
  const [loggedOld, logged] = [before[field], after[field]]
  if (Array.isArray(logged) && Array.isArray(loggedOld) && Array.isArray(old) && Array.isArray(value)) {
    const unchanged = unchangedItems?.[field] ?? 0
    return isReplacedPart(old, loggedOld, value, logged, unchanged) ? null : 'after'
  }
  if (!isSame(value, logged)) return 'after'
  return isSame(old, loggedOld) ? null : 'before'
}

/** Whether replacing one part of a list by another makes it the other list, and leaves so many items unchanged. */
function isReplacedPart(
  old: readonly unknown[],
  removed: readonly unknown[],
  value: readonly unknown[],
  added: readonly unknown[],
  unchanged: number,
): boolean {
  if (old.length !== removed.length + unchanged || value.length !== added.length + unchanged) return false
  for (let start = 0; start <= unchanged; start++) {
    const end = unchanged - start
    if (
      isSame(old.slice(start, old.length - end), removed) &&
      isSame(value.slice(start, value.length - end), added) &&
      isSame(old.slice(0, start), value.slice(0, start)) &&
      isSame(old.slice(old.length - end), value.slice(value.length - end))
    )
      return true
  }
  return false
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
