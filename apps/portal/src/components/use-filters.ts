import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** How long a search field waits after the last key before it searches, in milliseconds. */
export const SEARCH_DEBOUNCE_MS = 200

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

type FilterParsers = Readonly<Record<string, FilterParser<string>>>
export type Filters<Parsers extends FilterParsers> = {
  readonly [Name in keyof Parsers]?: Exclude<ReturnType<Parsers[Name]>, undefined>
}

/**
 * Filters in the query string, so that a filtered list can be linked to. Invalid and unknown parameters are ignored.
 * @param parsers a constant, created outside the component
 * @returns the filters, and a function that changes some of them, where `undefined` clears one
 * @example const [filters, setFilters] = useFilters(parsers); setFilters({ status: 'active' })
 */
export function useFilters<Parsers extends FilterParsers>(parsers: Parsers) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(parsers).flatMap(([name, parse]) => {
          const value = parse(search[name] ?? '')
          return value === undefined ? [] : [[name, value]]
        }),
      ) as Filters<Parsers>,
    [parsers, search],
  )
  const setFilters = useCallback(
    (change: { readonly [Name in keyof Parsers]?: string | undefined }) =>
      void navigate({ to: '.', search: (previous) => ({ ...previous, ...change }), replace: true }),
    [navigate],
  )
  return [filters, setFilters] as const
}
