import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** How long a search field waits after the last key before it searches, in milliseconds. */
export const SEARCH_DEBOUNCE_MS = 200

/** Reads one filter of the address; undefined where it is none that there is. */
export type FilterParser<Value extends string> = (text: string) => Value | undefined

/** Any text but an empty one. */
export const anyText: FilterParser<string> = (text) => text.trim() || undefined

/** One of these words. */
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
 * Filters that are kept in the address, so that a list can be linked to and gone back to. What the address holds is
 * checked; what is no filter of this screen is left out.
 * @param readers made once, outside the component
 * @returns the filters, and how to change some of them: `undefined` takes one away
 * @example const [filters, setFilters] = useFilters(readers); setFilters({ status: 'active' })
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
