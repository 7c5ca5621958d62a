import type { SearchParams } from './search-params.ts'

/** Parses one filter from the URL; undefined if it is invalid. */
export type FilterParser<Value extends string> = (text: string) => Value | undefined

/** Any non-empty text. */
export const anyText: FilterParser<string> = (text) => text.trim() || undefined

/** One of these values. */
export const oneOf =
  <const Value extends string>(...values: readonly Value[]): FilterParser<Value> =>
  (text) =>
    values.find((candidate) => candidate === text)

/** A calendar day: `2026-03-01`. */
export const calendarDay: FilterParser<string> = (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

export type FilterParsers = Readonly<Record<string, FilterParser<string>>>
export type Filters<Parsers extends FilterParsers> = {
  readonly [Name in keyof Parsers]?: Exclude<ReturnType<Parsers[Name]>, undefined>
}

/** The filters in a query string. Invalid and unknown parameters are ignored. */
export const parseFilters = <Parsers extends FilterParsers>(
  parsers: Parsers,
  search: SearchParams,
): Filters<Parsers> =>
  Object.fromEntries(
    Object.entries(parsers).flatMap(([name, parse]) => {
      const value = parse(search[name] ?? '')
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Filters<Parsers>
