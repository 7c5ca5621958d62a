import type { Department } from './department-data.ts'

/** What a department says of itself, as it is typed. */
export type Details = Readonly<Record<DetailField, string>>
export type DetailField = 'name' | 'color' | 'description'

export const detailFields = ['name', 'color', 'description'] as const satisfies readonly DetailField[]

export const toDetails = (department: Department | null): Details => ({
  name: department?.name ?? '',
  color: department?.color ?? '',
  description: department?.description ?? '',
})

/** Which details differ. */
export const findChangedFields = (a: Details, b: Details): readonly DetailField[] =>
  detailFields.filter((field) => a[field].trim() !== b[field].trim())

/** The details as a write has them: those that are emptied are taken away. */
export const toRequestBody = (values: Details, fields: readonly DetailField[]) =>
  Object.fromEntries(
    fields.map((field) => [field, field === 'name' ? values.name : values[field] || null]),
  ) as { readonly name?: string; readonly color?: string | null; readonly description?: string | null }

const fieldLabels: Readonly<Record<DetailField, string>> = {
  name: 'name',
  color: 'colour',
  description: 'description',
}
const MAX_QUOTE_LENGTH = 120

const truncate = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text

const describeCurrentValue = (remote: Details) => (field: DetailField) =>
  remote[field] === ''
    ? `It has no ${fieldLabels[field]} any more.`
    : `Its ${fieldLabels[field]} is “${truncate(remote[field])}” now.`

/**
 * What to say of a department that somebody else changed while it was being changed.
 * @param clashing what both changed, each to something else
 */
export const formatConflictMessage = (remote: Details, conflicting: readonly DetailField[]): string =>
  conflicting.length === 0
    ? 'Somebody else changed this department meanwhile. What they changed stands here now, beside what you did: look at it, and save again.'
    : `Somebody else changed this department meanwhile. ${conflicting.map(describeCurrentValue(remote)).join(' ')} Save again to put what you typed in its place.`
