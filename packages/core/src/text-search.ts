import { toSearchText } from './name-search.ts'

/** How well a text matches a query: lower is better. */
export const matchRanks = { exact: 0, prefix: 1, wordPrefix: 2, substring: 3, allWords: 4 } as const
export type MatchRank = (typeof matchRanks)[keyof typeof matchRanks]

/**
 * Matches a text with a query, ignoring case and accents.
 * @returns how well it matches; null if it does not
 */
export function rankTextMatch(text: string, query: string): MatchRank | null {
  const searchText = toSearchText(text)
  const searchQuery = toSearchText(query)
  if (searchQuery === '') return null
  if (searchText === searchQuery) return matchRanks.exact
  const index = searchText.indexOf(searchQuery)
  if (index === 0) return matchRanks.prefix
  if (index > 0) return startsWord(searchText, searchQuery) ? matchRanks.wordPrefix : matchRanks.substring
  const words = searchQuery.split(' ')
  return words.length > 1 && words.every((word) => searchText.includes(word)) ? matchRanks.allWords : null
}

/** Whether an occurrence of a query starts after something that is neither letter nor digit. */
function startsWord(searchText: string, searchQuery: string): boolean {
  for (let index = searchText.indexOf(searchQuery); index >= 0; ) {
    if (index === 0 || !/[\p{L}\p{N}]/u.test(searchText[index - 1] ?? '')) return true
    index = searchText.indexOf(searchQuery, index + 1)
  }
  return false
}

/** The longest word of a query in its search form. Every text that matches the query contains it. */
export const longestSearchWord = (query: string): string =>
  toSearchText(query)
    .split(' ')
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
