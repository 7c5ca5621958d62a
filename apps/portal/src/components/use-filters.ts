import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** Reads one filter of the address; undefined where it is none that there is. */
export type FilterReader<Value extends string> = (text: string) => Value | undefined

/** Any text but an empty one. */
export const anyText: FilterReader<string> = (text) => text.trim() || undefined

/** One of these words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): FilterReader<Word> =>
  (text) =>
    words.find((word) => word === text)

/** A calendar day: `2026-03-01`. */
export const calendarDay: FilterReader<string> = (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

type Readers = Readonly<Record<string, FilterReader<string>>>
export type Filters<Of extends Readers> = {
  readonly [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined>
}

/**
 * Filters that are kept in the address, so that a list can be linked to and gone back to. What the address holds is
 * checked; what is no filter of this screen is left out.
 * @param readers made once, outside the component
 * @returns the filters, and how to change some of them: `undefined` takes one away
 * @example const [filters, setFilters] = useFilters(readers); setFilters({ status: 'active' })
 */
export function useFilters<Of extends Readers>(readers: Of) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(readers).flatMap(([name, read]) => {
          const value = read(search[name] ?? '')
          return value === undefined ? [] : [[name, value]]
        }),
      ) as Filters<Of>,
    [readers, search],
  )
  const setFilters = useCallback(
    (change: { readonly [Name in keyof Of]?: string | undefined }) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  )
  return [filters, setFilters] as const
}
