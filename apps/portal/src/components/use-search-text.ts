import { useDebouncedCallback } from '@mantine/hooks'
import { cleanQuery } from '@reeve/core'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from './use-filters.ts'

/** The text of a search field, which is applied once the user pauses. */
export interface SearchText {
  /** What the field contains. */
  readonly text: string
  /** Changes the text, and applies it after a pause. */
  readonly change: (text: string) => void
  /** Changes the text, and applies it at once. */
  readonly apply: (text: string) => void
}

/**
 * The text of a search field whose query is kept elsewhere, such as in the URL.
 * @param q the query in use
 * @param setQuery uses another query; undefined for none
 */
export function useSearchText(q: string, setQuery: (q: string | undefined) => void): SearchText {
  const [text, setText] = useState(q)
  const [lastQuery, setLastQuery] = useState(q)
  const [sentQuery, setSentQuery] = useState(q)
  // Follow the query when it changes from elsewhere, but not when it lags behind what is being typed.
  if (q !== lastQuery) {
    setLastQuery(q)
    if (q !== sentQuery) setText(q)
  }
  const send = (query: string) => {
    const sent = cleanQuery(query)
    setSentQuery(sent)
    setQuery(sent || undefined)
  }
  const sendDebounced = useDebouncedCallback(send, SEARCH_DEBOUNCE_MS)
  return {
    text,
    change: (next) => {
      setText(next)
      sendDebounced(next)
    },
    apply: (next) => {
      sendDebounced.cancel()
      setText(next)
      send(next)
    },
  }
}
