/** Rules of expiries that the server, the portal and the client share. An expiry is in epoch milliseconds; null is permanent. */

/** Whether an expiry is earlier than another. */
export const expiresBefore = (expiresAt: number | null, other: number | null): boolean =>
  (expiresAt ?? Number.POSITIVE_INFINITY) < (other ?? Number.POSITIVE_INFINITY)

/** What decides which of several sanctions counts. */
interface Term {
  readonly expiresAt: number | null
  readonly caseNumber: number
}

/**
 * The one of several sanctions of a player that counts: the one that ends last. Of those that end at the same time, the one with the highest case
 * number. A player can have several of a kind, because they were stored under several forms before the default platform changed.
 * @returns null if there are none
 */
export function findLastToEnd<Sanction>(
  sanctions: Iterable<Sanction>,
  toTerm: (sanction: Sanction) => Term,
): Sanction | null {
  let last: { readonly sanction: Sanction; readonly term: Term } | null = null
  for (const sanction of sanctions) {
    const term = toTerm(sanction)
    if (last === null || endsAfter(term, last.term)) last = { sanction, term }
  }
  return last?.sanction ?? null
}

const endsAfter = (one: Term, other: Term): boolean =>
  expiresBefore(other.expiresAt, one.expiresAt) ||
  (one.expiresAt === other.expiresAt && one.caseNumber > other.caseNumber)
