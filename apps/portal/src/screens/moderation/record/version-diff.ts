import { isSanctionKind } from '@reeve/core'
import { formatDateTime } from '../../../format/time.ts'
import { toLabel } from '../action-labels.ts'
import { formatSanctionDuration } from '../format-time.ts'
import type { ModerationRecord } from '../queries.ts'

interface DiffField {
  readonly name: string
  /** What it is called where it changed: `Reason changed`. */
  readonly format: (record: ModerationRecord) => string
}

const formatTimeOr = (time: string | null, fallback: string): string =>
  time === null ? fallback : formatDateTime(time)

/** What can differ between two versions of a record, as it is shown. */
const diffFields: readonly DiffField[] = [
  { name: 'Reason', format: ({ reason }) => reason ?? '' },
  { name: 'Severity', format: ({ severity }) => toLabel(severity) },
  { name: 'Status', format: ({ status }) => toLabel(status) },
  {
    name: 'How long',
    format: ({ action, durationSeconds }) =>
      isSanctionKind(action)
        ? durationSeconds === null
          ? 'Without end'
          : formatSanctionDuration(Number(durationSeconds))
        : '',
  },
  {
    name: 'Ends',
    format: ({ action, expiresAt }) =>
      isSanctionKind(action) ? formatTimeOr(expiresAt, 'Never by itself') : '',
  },
  { name: 'Name of the player', format: ({ userUsername }) => userUsername ?? '' },
  { name: 'Evidence', format: ({ evidence }) => evidence.join('\n') },
  {
    name: 'Comments',
    format: ({ comments }) =>
      comments.map(({ authorUsername, text }) => `${authorUsername}: ${text}`).join('\n'),
  },
  { name: 'Seen by the player', format: ({ acknowledgedAt }) => formatTimeOr(acknowledgedAt, 'Not yet') },
  { name: 'Why it was lifted or taken back', format: ({ revokeReason }) => revokeReason ?? '' },
  { name: 'Redacted', format: ({ redactedAt }) => formatTimeOr(redactedAt, '') },
]

export interface FieldDiff {
  readonly name: string
  readonly left: string
  readonly right: string
  readonly isChanged: boolean
}

/** Two versions of a record, part by part; parts that both lack are left out. */
export const diffRecords = (left: ModerationRecord, right: ModerationRecord): FieldDiff[] =>
  diffFields
    .map(({ name, format }) => ({ name, left: format(left), right: format(right) }))
    .filter((field) => field.left !== '' || field.right !== '')
    .map((field) => ({ ...field, isChanged: field.left !== field.right }))

/** What a change was about, in a few words: `reason, severity`. */
export function summarizeChanges(before: ModerationRecord, after: ModerationRecord): string {
  const names = diffRecords(before, after)
    .filter(({ isChanged }) => isChanged)
    .map(({ name }) => name.toLowerCase())
  return names.length === 0 ? 'nothing that is shown' : names.join(', ')
}
