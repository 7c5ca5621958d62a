import { rankTextMatch } from '@reeve/core'

/** The maximum number of results of one kind. */
const RESULT_LIMIT = 5

/**
 * The best matches of a query. Candidates that match equally well keep their order.
 * @param getTexts the texts of a candidate, of which the best match counts
 */
export function selectBestMatches<Candidate>(
  candidates: readonly Candidate[],
  query: string,
  getTexts: (candidate: Candidate) => readonly string[],
): Candidate[] {
  return candidates
    .flatMap((candidate) => {
      const ranks = getTexts(candidate)
        .map((text) => rankTextMatch(text, query))
        .filter((rank) => rank !== null)
      return ranks.length === 0 ? [] : [{ candidate, rank: Math.min(...ranks) }]
    })
    .sort((first, second) => first.rank - second.rank)
    .slice(0, RESULT_LIMIT)
    .map(({ candidate }) => candidate)
}
