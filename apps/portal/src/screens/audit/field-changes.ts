import { isPermission, permissionCatalog } from '@reeve/core'
import { formatDateTime } from '../../format/time.ts'
import { recordFields } from '../moderation/record-fields.tsx'
import type { Snapshot } from './audit-data.ts'

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
  durationSeconds: `${recordFields.durationSeconds.label} in seconds`,
  actorUserId: `${recordFields.actorUsername.label}, ID`,
  actorPlatformUserId: `${recordFields.actorUsername.label}, platform ID`,
  createdAt: 'Created',
  createdBy: 'Created by',
  groupName: 'Group name',
  isOwner: 'Owner',
  color: 'Color',
}

/** `trainingHost` → `Training host`, `roleIds` → `Role IDs`. */
export const formatFieldName = (field: string): string =>
  fieldLabels[field] ??
  field
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z]/g, (letter, index) => (index === 0 ? letter : ` ${letter.toLowerCase()}`))
    .replace(/\b(id|ip|url)(?=s?$)/, (abbreviation) => abbreviation.toUpperCase())

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Formats a value as lines of text, one for each list item; no lines for an empty value. */
export function formatValueLines(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.map(formatValue)
  if (typeof value === 'string' && value.startsWith('["')) return parseListLines(value)
  return [formatValue(value)]
}

function parseListLines(text: string): readonly string[] {
  try {
    return formatValueLines(JSON.parse(text))
  } catch {
    return [text]
  }
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') {
    if (ISO_TIMESTAMP.test(value)) return formatDateTime(value)
    return isPermission(value) ? permissionCatalog[value].replace(/\.$/, '') : value
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const { username, name, body, text } = value as Snapshot
  const label = username ?? name ?? body ?? text
  return typeof label === 'string' ? label : JSON.stringify(value)
}

/** The values of a field before and after a change. */
export interface FieldChange {
  readonly field: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly isChanged: boolean
}

/** The visible fields that have a value before or after, in their original order. */
export function diffFields(before: Snapshot | null, after: Snapshot | null): readonly FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => !HIDDEN_FIELDS.has(field))
    .map((field) => ({
      field,
      before: formatValueLines(before?.[field]),
      after: formatValueLines(after?.[field]),
      isChanged: JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null),
    }))
    .filter((change) => change.before.length + change.after.length > 0)
}
