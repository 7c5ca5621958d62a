import type { Department } from './department-data.ts'

/** The editable fields of a department, as typed. */
export type Details = Record<DetailField, string>
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
