import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { isSanctionKind, severities } from '@reeve/core'
import { type Icon, IconLink, IconMessage, IconPaperclip } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { pluralize } from '../../format/number.ts'
import { formatZonedTime } from '../../format/time.ts'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { toLabel } from './action-labels.ts'
import { SeverityBadge, UNKNOWN_ACTOR } from './badges.tsx'
import { formatSanctionDuration } from './format-time.ts'
import type { RecordRevision, RecordSummary } from './queries.ts'
import { RadioButtons } from './radio-buttons.tsx'
import { TemplateName } from './templates/template-name.tsx'

/** The result of a form's `getInputProps`, with the label. */
type InputProps = ReturnType<UseFormReturnType<Record<string, string>>['getInputProps']> & {
  readonly label: string
  /** Replaces the field's own helper text. */
  readonly description?: ReactNode
}

interface ItemCount {
  readonly icon: Icon
  readonly one: string
  readonly other: string
  readonly count: (record: RecordSummary) => string
}

/** How the portal shows, compares and edits one field of a record. */
interface RecordField {
  readonly label: string
  /** As text, for comparing versions; empty if the record has no value. Absent on fields that never change. */
  readonly format?: (record: RecordRevision) => string
  /** Listed on the case page, unless the value is empty. */
  readonly isFact?: boolean
  /** The value on the case page, if not the formatted text. */
  readonly render?: (record: RecordRevision) => ReactNode
  /** The control in the forms. Fields that have one are editable. */
  readonly renderInput?: (props: InputProps) => ReactNode
  /** The value that the control starts with, if it differs from the formatted text. */
  readonly toInputValue?: (record: RecordRevision) => string
  /** For a list, how a player's timeline counts it. */
  readonly items?: ItemCount
  /** Whether redacting a record removes the value. */
  readonly isRedactable?: boolean
}

const formatTime = (time: string | null, fallback: string): string =>
  time === null ? fallback : formatZonedTime(time)
const renderTime = (time: string | null, fallback: string): ReactNode =>
  time === null ? fallback : <FormattedTime value={time} format="zoned" />

/** Who did something to a record, with the player whom an API key acted for. */
export const PersonName = (props: {
  readonly username: string | null
  readonly platformUserId: string | null
}) => (
  <>
    <bdi>{props.username ?? UNKNOWN_ACTOR}</bdi>
    {props.platformUserId === null ? null : <> (platform ID {props.platformUserId})</>}
  </>
)

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
    isFact: true,
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
  createdAt: {
    label: 'Recorded',
    isFact: true,
    render: ({ createdAt }) => renderTime(createdAt, ''),
  },
  actorUsername: {
    label: 'Recorded by',
    isFact: true,
    render: ({ actorUsername, actorPlatformUserId }) => (
      <PersonName username={actorUsername} platformUserId={actorPlatformUserId} />
    ),
  },
  occurredAt: {
    label: 'Happened',
    isFact: true,
    render: ({ occurredAt }) => (occurredAt === null ? null : renderTime(occurredAt, '')),
  },
  originalModerator: {
    label: 'Original moderator',
    isFact: true,
    render: ({ originalModerator }) => (originalModerator === null ? null : <bdi>{originalModerator}</bdi>),
  },
  source: {
    label: 'Imported from',
    isFact: true,
    render: ({ source, sourceId }) => (source === null ? null : `${source}, ${sourceId}`),
  },
  durationSeconds: {
    label: 'Duration',
    isFact: true,
    format: ({ action, durationSeconds }) => {
      if (!isSanctionKind(action)) return ''
      return durationSeconds === null ? 'Permanent' : formatSanctionDuration(Number(durationSeconds))
    },
  },
  expiresAt: {
    label: 'Expires',
    isFact: true,
    format: ({ action, expiresAt }) => (isSanctionKind(action) ? formatTime(expiresAt, 'Never') : ''),
    render: ({ action, expiresAt }) => (isSanctionKind(action) ? renderTime(expiresAt, 'Never') : null),
  },
  templateId: {
    label: 'Template',
    isFact: true,
    render: (record) => (record.templateId === null ? null : <TemplateName record={record} />),
  },
  publicReason: {
    label: 'The player reads',
    isFact: true,
    format: ({ publicReason }) => publicReason ?? '',
  },
  countsUntil: {
    label: 'Counts in the ladder until',
    isFact: true,
    format: ({ countsUntil }) => formatTime(countsUntil, ''),
    render: ({ countsUntil }) => (countsUntil === null ? null : renderTime(countsUntil, '')),
  },
  evidence: {
    label: 'Evidence',
    format: ({ evidence }) => evidence.join('\n'),
    items: {
      icon: IconLink,
      one: 'piece of evidence',
      other: 'pieces of evidence',
      count: ({ evidenceCount }) => evidenceCount,
    },
    renderInput: (props) => (
      <Textarea description={EVIDENCE_DESCRIPTION} autosize minRows={1} maxRows={8} {...props} />
    ),
    isRedactable: true,
  },
  evidenceFiles: {
    label: 'Evidence files',
    format: ({ evidenceFiles }) => evidenceFiles.map(({ name }) => name).join('\n'),
    items: {
      icon: IconPaperclip,
      one: 'evidence file',
      other: 'evidence files',
      count: ({ evidenceFileCount }) => evidenceFileCount,
    },
    isRedactable: true,
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
  comments: {
    label: 'Comments',
    format: ({ comments }) =>
      comments.map(({ authorUsername, text }) => `${authorUsername}: ${text}`).join('\n'),
    items: {
      icon: IconMessage,
      one: 'comment',
      other: 'comments',
      count: ({ commentCount }) => commentCount,
    },
    isRedactable: true,
  },
  acknowledgedAt: {
    label: 'Seen by the player',
    isFact: true,
    format: ({ acknowledgedAt }) => formatTime(acknowledgedAt, 'Not yet'),
    render: ({ acknowledgedAt }) => renderTime(acknowledgedAt, 'Not yet'),
  },
  revokeReason: {
    label: 'Revoke reason',
    format: ({ revokeReason }) => revokeReason ?? '',
    isRedactable: true,
  },
  redactedAt: { label: 'Redacted', format: ({ redactedAt }) => formatTime(redactedAt, '') },
} satisfies Record<string, RecordField>

/** Named as in the API. */
export type RecordFieldName = keyof typeof fields

/** Every field of a record that the portal shows, in display order. */
export const recordFields: Readonly<Record<RecordFieldName, RecordField>> = fields

const fieldNames = Object.keys(fields) as RecordFieldName[]

export type EditableField = {
  [Name in RecordFieldName]: (typeof fields)[Name] extends { renderInput: unknown } ? Name : never
}[RecordFieldName]

/** The fields that staff enter, in the order of the forms. */
export const editableFields = fieldNames.filter(
  (name): name is EditableField => 'renderInput' in fields[name],
)

/** The values of the form controls. */
export type EditableFields = Record<EditableField, string>

const mapEditableFields = (toValue: (name: EditableField) => string): EditableFields =>
  Object.fromEntries(editableFields.map((name) => [name, toValue(name)])) as EditableFields

export const editableFieldLabels = mapEditableFields((name) => recordFields[name].label)
export const emptyEditableFields = mapEditableFields(() => '')

/** The values that a form for editing a record starts with. */
export const toEditableFields = (record: RecordRevision): EditableFields =>
  mapEditableFields((name) => {
    const { toInputValue, format } = recordFields[name]
    return (toInputValue ?? format)?.(record) ?? ''
  })

/** The control for an editable field. */
export const RecordFieldInput = ({ name, ...props }: Omit<InputProps, 'label'> & { name: EditableField }) =>
  recordFields[name].renderInput?.({ label: recordFields[name].label, ...props })

/** The facts of a record for the case page, without the empty ones. */
export const listFacts = (record: RecordRevision): { label: string; value: ReactNode }[] =>
  Object.values(recordFields)
    .filter(({ isFact }) => isFact)
    .map(({ label, render, format }) => ({ label, value: render ? render(record) : format?.(record) }))
    .filter(({ value }) => Boolean(value))

/** How many items each list of a record has, without the empty ones. */
export const countItems = (record: RecordSummary): { icon: Icon; text: string }[] =>
  Object.values(recordFields).flatMap(({ items }) => {
    const count = Number(items?.count(record) ?? 0)
    return items && count > 0 ? [{ icon: items.icon, text: pluralize(count, items.one, items.other) }] : []
  })
