import { isPermission, isRecordAction } from '@reeve/core'
import { formatPermission } from '../../components/permission-labels.ts'
import { formatBytes, formatNumber } from '../../format/number.ts'
import { formatDateTime } from '../../format/time.ts'
import { formatEventType } from '../events/event-data.ts'
import { actionInfo, toLabel } from '../moderation/action-labels.ts'
import type { ModerationRecord } from '../moderation/queries.ts'
import { type RecordFieldName, recordFields } from '../moderation/record-fields.tsx'
import { formatMeasure } from '../moderation/templates/format-measure.ts'
import type { Snapshot } from './audit-data.ts'
import { formatEndpoint, formatMode } from './format-endpoint.ts'

/** Formats a field of a snapshot as the screen of its record does. @param value not null, except for those of a record */
type FormatField = (value: string, snapshot: Snapshot) => string

const formatBoolean: FormatField = (value) => (value === 'true' ? 'Yes' : value === 'false' ? 'No' : value)
const formatIdentifier: FormatField = (value) => toLabel(value.replaceAll('_', ' '))
const formatVisibility: FormatField = (value) => (value === 'true' ? 'Published' : 'Draft')
const keyStatuses: Readonly<Record<string, string>> = { live: 'Active', expiring: 'Rotated' }
const formatKeyStatus: FormatField = (value) => keyStatuses[value] ?? toLabel(value)

const formatRecordField =
  (name: RecordFieldName): FormatField =>
  (_, snapshot) =>
    recordFields[name].format?.(snapshot as unknown as ModerationRecord) ?? ''

/** The fields of a record, event, key… that its screen does not show as stored, by kind of target. */
const formatsByKind: Readonly<Record<string, Readonly<Record<string, FormatField>>>> = {
  record: {
    action: (value) => (isRecordAction(value) ? actionInfo[value].noun : value),
    severity: formatRecordField('severity'),
    status: formatRecordField('status'),
    durationSeconds: formatRecordField('durationSeconds'),
    expiresAt: formatRecordField('expiresAt'),
  },
  event: { eventType: formatEventType, published: formatVisibility, status: toLabel },
  endpoint_control: { endpoint: formatEndpoint, mode: formatMode },
  api_key: { status: formatKeyStatus },
  invitation: { status: toLabel },
  webhook: { kind: toLabel, state: toLabel, stateReason: formatIdentifier },
  role: { isOwner: formatBoolean },
  member: { isOwner: formatBoolean },
  workspace: { status: toLabel },
  template: { appealable: formatBoolean, defaultSeverity: toLabel },
}

/** Fields of a record whose absence says something: without an end, a ban is permanent. */
const FIELDS_WITH_MEANING_OF_NULL = new Set(['durationSeconds', 'expiresAt'])

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Formats a field as lines of text, one for each list item; no lines for an empty value. */
export function formatFieldLines(kind: string, field: string, snapshot: Snapshot | null): readonly string[] {
  if (snapshot === null || !Object.hasOwn(snapshot, field)) return []
  const value = snapshot[field]
  if (field === 'monthlyQuota')
    return [value === null ? 'Unlimited' : `${formatNumber(String(value))} requests per month`]
  if (field === 'storageQuota')
    return [value === null ? 'Default' : value === '0' ? 'Unlimited' : formatBytes(String(value))]
  // Of API keys, the log has the time in epoch milliseconds.
  if (typeof value === 'number' && field.endsWith('At')) return [formatDateTime(value)]
  const format = formatsByKind[kind]?.[field]
  const isMeaningful =
    typeof value === 'string' ||
    (value === null && kind === 'record' && FIELDS_WITH_MEANING_OF_NULL.has(field))
  return format && isMeaningful ? [format(value ?? '', snapshot)].filter(Boolean) : formatLines(value)
}

function formatLines(value: unknown): readonly string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.map(formatItem)
  if (typeof value === 'string' && value.startsWith('["')) return parseListLines(value)
  return [formatItem(value)]
}

function parseListLines(text: string): readonly string[] {
  try {
    return formatLines(JSON.parse(text))
  } catch {
    return [text]
  }
}

function formatItem(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string') {
    if (ISO_TIMESTAMP.test(value)) return formatDateTime(value)
    return isPermission(value) ? formatPermission(value) : value
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const { username, name, body, text, count, action, durationSeconds } = value as Snapshot
  if (typeof count === 'string' && typeof action === 'string' && isRecordAction(action)) {
    const seconds = typeof durationSeconds === 'string' ? Number(durationSeconds) : null
    return `From case ${count}: ${formatMeasure({ action, durationSeconds: seconds })}`
  }
  const label = username ?? name ?? body ?? text
  return typeof label === 'string' ? label : JSON.stringify(value)
}
