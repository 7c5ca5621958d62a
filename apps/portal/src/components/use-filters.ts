import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type FilterParsers, parseFilters } from '../app/filter-parsers.ts'
import type { SearchParams } from '../app/search-params.ts'

/** How long a search field waits after the last key before it searches, in milliseconds. */
export const SEARCH_DEBOUNCE_MS = 200

/**
 * Filters in the query string, so that a filtered list can be linked to.
 * @param parsers a constant, created outside the component
 * @returns the filters, and a function that changes some of them, where `undefined` clears one
 * @example const [filters, setFilters] = useFilters(parsers); setFilters({ status: 'active' })
 */
export function useFilters<Parsers extends FilterParsers>(parsers: Parsers) {
  const search = useSearch({ strict: false }) as SearchParams
  const navigate = useNavigate()
  const filters = useMemo(() => parseFilters(parsers, search), [parsers, search])
  const setFilters = useCallback(
    (change: { readonly [Name in keyof Parsers]?: string | undefined }) =>
      void navigate({ to: '.', search: (previous) => ({ ...previous, ...change }), replace: true }),
    [navigate],
  )
  return [filters, setFilters] as const
}
