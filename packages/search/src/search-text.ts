import { longestSearchWord } from '@reeve/core'

/**
 * The number of rows of one kind that a search looks at, so that its cost is bounded: the newest members and keys, and the
 * events closest to now.
 */
export const SCAN_LIMIT = 2000

/** A query, as typed, and as statements use it. */
export interface SearchText {
  readonly q: string
  /** The longest word in its search form, which every match contains. */
  readonly word: string
}

export const parseSearchText = (q: string): SearchText => ({ q, word: longestSearchWord(q) })
