import type { Department } from './department-data.ts'

/** The editable fields of a department, as typed. */
export type Details = Readonly<Record<DetailField, string>>
export type DetailField = 'name' | 'color' | 'description'

export const detailFields = ['name', 'color', 'description'] as const satisfies readonly DetailField[]

export const toDetails = (department: Department | null): Details => ({
  name: department?.name ?? '',
  color: department?.color ?? '',
  description: department?.description ?? '',
})

/** The fields that differ. */
export const findChangedFields = (a: Details, b: Details): readonly DetailField[] =>
  detailFields.filter((field) => a[field].trim() !== b[field].trim())

/** The fields as a request body; emptied fields become null. */
export const toRequestBody = (values: Details, fields: readonly DetailField[]) =>
  Object.fromEntries(
    fields.map((field) => [field, field === 'name' ? values.name : values[field] || null]),
  ) as { readonly name?: string; readonly color?: string | null; readonly description?: string | null }

const fieldLabels: Readonly<Record<DetailField, string>> = {
  name: 'name',
  color: 'color',
  description: 'description',
}
const MAX_QUOTE_LENGTH = 120

const truncate = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text

const describeCurrentValue = (remote: Details) => (field: DetailField) =>
  remote[field] === ''
    ? `The ${fieldLabels[field]} was removed.`
    : `The ${fieldLabels[field]} is now “${truncate(remote[field])}”.`

/*
 * The message after someone else changed a department that was being edited.
 * @param conflicting fields that both changed to different values

 */
export const formatConflictMessage = (remote: Details, conflicting: readonly DetailField[]): string =>
  conflicting.length === 0
    ? 'Someone else changed this department while you were editing. The form now shows their changes as well as yours. Review it and save again.'
    : `Someone else changed this department while you were editing. ${conflicting.map(describeCurrentValue(remote)).join(' ')} Save again to overwrite it with your version.`
