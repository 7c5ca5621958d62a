import type { Department } from './department-data.ts'

/** What a department says of itself, as it is typed. */
export type Details = Readonly<Record<Detail, string>>
export type Detail = 'name' | 'color' | 'description'

export const details = ['name', 'color', 'description'] as const satisfies readonly Detail[]

export const detailsOf = (department: Department | null): Details => ({
  name: department?.name ?? '',
  color: department?.color ?? '',
  description: department?.description ?? '',
})

/** Which details differ. */
export const differing = (one: Details, other: Details): readonly Detail[] =>
  details.filter((detail) => one[detail].trim() !== other[detail].trim())

/** The details as a write has them: those that are emptied are taken away. */
export const written = (values: Details, which: readonly Detail[]) =>
  Object.fromEntries(
    which.map((detail) => [detail, detail === 'name' ? values.name : values[detail] || null]),
  ) as { readonly name?: string; readonly color?: string | null; readonly description?: string | null }

const words: Readonly<Record<Detail, string>> = {
  name: 'name',
  color: 'colour',
  description: 'description',
}
const SHORT = 120

const short = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text)

const now = (theirs: Details) => (detail: Detail) =>
  theirs[detail] === ''
    ? `It has no ${words[detail]} any more.`
    : `Its ${words[detail]} is “${short(theirs[detail])}” now.`

/**
 * What to say of a department that somebody else changed while it was being changed.
 * @param clashing what both changed, each to something else
 */
export const meanwhile = (theirs: Details, clashing: readonly Detail[]): string =>
  clashing.length === 0
    ? 'Somebody else changed this department meanwhile. What they changed stands here now, beside what you did: look at it, and save again.'
    : `Somebody else changed this department meanwhile. ${clashing.map(now(theirs)).join(' ')} Save again to put what you typed in its place.`
