import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type Icon, IconLink, IconMessage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { formatDateTime } from '../../format/time.ts'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { isSanctionKind, severities, toLabel } from './action-labels.ts'
import { SeverityBadge, UNKNOWN_ACTOR } from './badges.tsx'
import { formatSanctionDuration } from './format-time.ts'
import type { ModerationRecord } from './queries.ts'
import { RadioButtons } from './radio-buttons.tsx'

/** The result of a form's `getInputProps`, with the label. */
type InputProps = ReturnType<UseFormReturnType<EditableFields>['getInputProps']> & {
  readonly label: string
  /** Replaces the field's own helper text. */
  readonly description?: ReactNode
}

/** How the portal shows, compares and edits one field of a record. */
interface RecordField {
  readonly label: string
  /** As text, for comparing versions; empty if the record has no value. Absent on fields that never change. */
  readonly format?: (record: ModerationRecord) => string
  /** On the case page, where text is not enough. */
  readonly render?: (record: ModerationRecord) => ReactNode
  /** The control in the forms, on fields that staff enter. */
  readonly renderInput?: (props: InputProps) => ReactNode
  /** The value that the control starts with, if it differs from the formatted text. */
  readonly toInputValue?: (record: ModerationRecord) => string
  /** Whether redacting a record removes the value. */
  readonly isRedactable?: boolean
}

const formatTime = (time: string | null, fallback: string): string =>
  time === null ? fallback : formatDateTime(time)
const renderTime = (time: string | null, fallback: string): ReactNode =>
  time === null ? fallback : <FormattedTime value={time} format="dateTime" />

export const EVIDENCE_DESCRIPTION = 'Links or observations, one per line'

const fields = {
  reason: {
    label: 'Reason',
    format: ({ reason }) => reason ?? '',
    renderInput: (props) => <Textarea autosize minRows={2} maxRows={8} data-autofocus {...props} />,
    isRedactable: true,
  },
  severity: {
    label: 'Severity',
    format: ({ severity }) => toLabel(severity),
    render: ({ severity }) => <SeverityBadge severity={severity} />,
    toInputValue: ({ severity }) => severity,
    renderInput: ({ label, value, onChange, error }) => (
      <RadioButtons
        label={label}
        name="severity"
        options={severities.map((severity) => ({ value: severity, label: toLabel(severity) }))}
        value={value}
        onChange={onChange}
        error={error}
      />
    ),
  },
  status: { label: 'Status', format: ({ status }) => toLabel(status) },
  durationSeconds: {
    label: 'Duration',
    format: ({ action, durationSeconds }) => {
      if (!isSanctionKind(action)) return ''
      return durationSeconds === null ? 'Permanent' : formatSanctionDuration(Number(durationSeconds))
    },
  },
  expiresAt: {
    label: 'Expires',
    format: ({ action, expiresAt }) => (isSanctionKind(action) ? formatTime(expiresAt, 'Never') : ''),
    render: ({ expiresAt }) => renderTime(expiresAt, 'Never'),
  },
  userUsername: {
    label: 'Player name',
    format: ({ userUsername }) => userUsername ?? '',
    renderInput: (props) => (
      <TextInput
        {...plainTextProps}
        description="The player’s name at the time"
        autoComplete="off"
        {...props}
      />
    ),
  },
  evidence: {
    label: 'Evidence',
    format: ({ evidence }) => evidence.join('\n'),
    renderInput: (props) => (
      <Textarea description={EVIDENCE_DESCRIPTION} autosize minRows={1} maxRows={8} {...props} />
    ),
    isRedactable: true,
  },
  comments: {
    label: 'Comments',
    format: ({ comments }) =>
      comments.map(({ authorUsername, text }) => `${authorUsername}: ${text}`).join('\n'),
    isRedactable: true,
  },
  acknowledgedAt: {
    label: 'Seen by the player',
    format: ({ acknowledgedAt }) => formatTime(acknowledgedAt, 'Not yet'),
    render: ({ acknowledgedAt }) => renderTime(acknowledgedAt, 'Not yet'),
  },
  revokeReason: {
    label: 'Revoke reason',
    format: ({ revokeReason }) => revokeReason ?? '',
    isRedactable: true,
  },
  redactedAt: { label: 'Redacted', format: ({ redactedAt }) => formatTime(redactedAt, '') },
  createdAt: {
    label: 'Recorded',
    render: ({ createdAt }) => renderTime(createdAt, ''),
  },
  actorUsername: {
    label: 'Recorded by',
    render: ({ actorUsername, actorPlatformUserId }) => (
      <>
        <bdi>{actorUsername ?? UNKNOWN_ACTOR}</bdi>
        {actorPlatformUserId === null ? null : <> (platform id {actorPlatformUserId})</>}
      </>
    ),
  },
} satisfies Record<string, RecordField>

/** Named as in the API. */
export type RecordFieldName = keyof typeof fields

/** Every field of a record that the portal shows, in the order in which versions are compared. */
export const recordFields: Readonly<Record<RecordFieldName, RecordField>> = fields

/** The fields that staff enter, in the order of the forms. */
export const editableFields = ['reason', 'severity', 'evidence', 'userUsername'] as const
export type EditableField = (typeof editableFields)[number]

/** What the form controls hold. */
export type EditableFields = Record<EditableField, string>

const mapEditableFields = (toValue: (name: EditableField) => string): EditableFields =>
  Object.fromEntries(editableFields.map((name) => [name, toValue(name)])) as EditableFields

export const editableFieldLabels = mapEditableFields((name) => recordFields[name].label)
export const emptyEditableFields = mapEditableFields(() => '')

/** The values that a form for editing a record starts with. */
export const toEditableFields = (record: ModerationRecord): EditableFields =>
  mapEditableFields((name) => {
    const { toInputValue, format } = recordFields[name]
    return (toInputValue ?? format)?.(record) ?? ''
  })

/** The control for an editable field. */
export const RecordFieldInput = ({ name, ...props }: Omit<InputProps, 'label'> & { name: EditableField }) =>
  recordFields[name].renderInput?.({ label: recordFields[name].label, ...props })

/** The value of a field on the case page. */
export function renderField(name: RecordFieldName, record: ModerationRecord): ReactNode {
  const { render, format } = recordFields[name]
  return render ? render(record) : format?.(record)
}

interface ItemCount {
  readonly icon: Icon
  readonly one: string
  readonly other: string
  readonly count: (record: ModerationRecord) => number
}

/** The lists of a record, counted on a player's timeline. */
export const itemCounts: readonly ItemCount[] = [
  {
    icon: IconLink,
    one: 'piece of evidence',
    other: 'pieces of evidence',
    count: ({ evidence }) => evidence.length,
  },
  { icon: IconMessage, one: 'comment', other: 'comments', count: ({ comments }) => comments.length },
]
