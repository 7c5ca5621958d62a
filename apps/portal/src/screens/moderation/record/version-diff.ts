import type { RecordRevision } from '../queries.ts'
import { recordFields } from '../record-fields.tsx'

export interface FieldDiff {
  readonly label: string
  readonly left: string
  readonly right: string
  readonly isChanged: boolean
}

/** Two versions of a record, field by field, without the fields that are empty in both. */
export const diffRecords = (left: RecordRevision, right: RecordRevision): FieldDiff[] =>
  Object.values(recordFields)
    .flatMap(({ label, format }) => (format ? [{ label, left: format(left), right: format(right) }] : []))
    .filter((field) => field.left !== '' || field.right !== '')
    .map((field) => ({ ...field, isChanged: field.left !== field.right }))

/** The labels of the changed fields: `reason, severity`. */
export function summarizeChanges(before: RecordRevision, after: RecordRevision): string {
  const labels = diffRecords(before, after)
    .filter(({ isChanged }) => isChanged)
    .map(({ label }) => label.toLowerCase())
  return labels.length === 0 ? 'no visible change' : labels.join(', ')
}
