import { recordFields } from '../moderation/record-fields.tsx'
import { type AuditEntry, type Snapshot, toSnapshot } from './audit-data.ts'
import { formatFieldLines } from './format-values.ts'

/** Fields that are not shown: they change with every write, or appear elsewhere. */
const HIDDEN_FIELDS = new Set([
  'id',
  'workspaceId',
  'updatedAt',
  'version',
  'sequence',
  'image_url',
  'updatedBy',
])

const fieldLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(recordFields).map(([name, { label }]) => [name, label])),
  userId: 'Player ID',
  caseNumber: 'Case',
  actorUserId: `${recordFields.actorUsername.label}, ID`,
  actorPlatformUserId: `${recordFields.actorUsername.label}, platform ID`,
  revokedByUsername: 'Revoked by',
  revokedByPlatformUserId: 'Revoked by, platform ID',
  createdAt: 'Created',
  createdBy: 'Created by',
  createdByUsername: 'Created by',
  heldBy: 'Account IDs of the people who had it',
  groupName: 'Group name',
  isOwner: 'Owner',
  color: 'Color',
  published: 'Visibility',
  eventType: 'Type',
}

/** `trainingHost` → `Training host`, `roleIds` → `Role IDs`. */
export const formatFieldName = (field: string): string =>
  fieldLabels[field] ??
  field
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z]/g, (letter, index) => (index === 0 ? letter : ` ${letter.toLowerCase()}`))
    .replace(/\b(id|ip|url)(?=s?$)/, (abbreviation) => abbreviation.toUpperCase())

/** A field with an id, if another one has the name that belongs to it. */
const isIdOfNamedField = (field: string, snapshot: Snapshot | null): boolean =>
  snapshot !== null && (`${field}Username` in snapshot || (field === 'ownerId' && 'owner' in snapshot))

/** The values of a field before and after a change. */
export interface FieldChange {
  readonly field: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** How many further items a changed list has on both sides. */
  readonly unchangedItems: number
  readonly isChanged: boolean
}

/** New records are logged without empty fields, but the absence of an end says something: the sanction is permanent. */
const absentFields: Readonly<Record<string, Snapshot>> = {
  record: { durationSeconds: null, expiresAt: null },
}

/**
 * The visible fields that have a value before or after, in their original order.
 * @param kind of the target, whose screen decides how values are written
 */
export function diffFields(
  kind: string,
  changes: NonNullable<AuditEntry['changes']>,
): readonly FieldChange[] {
  const isOneSided = changes.before === null || changes.after === null
  const read = (value: unknown): Snapshot | null => {
    const snapshot = toSnapshot(value)
    return snapshot && isOneSided ? { ...snapshot, ...absentFields[kind], ...snapshot } : snapshot
  }
  const [before, after] = [read(changes.before), read(changes.after)]
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => !HIDDEN_FIELDS.has(field) && !isIdOfNamedField(field, after ?? before))
    .map((field) => ({
      field,
      before: formatFieldLines(kind, field, before),
      after: formatFieldLines(kind, field, after),
      unchangedItems: Number(changes.unchangedItems?.[field] ?? 0),
      isChanged: JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
    }))
    .filter((change) => change.before.length + change.after.length > 0)
}
