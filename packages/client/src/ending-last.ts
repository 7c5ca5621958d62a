import { findLastToEnd } from './generated/core/expiry.ts'

/** The one of several sanctions of a player that counts: the one that ends last. Null if there are none. */
export const findEndingLast = <
  Sanction extends { readonly expiresAt: string | null; readonly caseNumber: string },
>(
  sanctions: readonly Sanction[],
): Sanction | null =>
  findLastToEnd(sanctions, ({ expiresAt, caseNumber }) => ({
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    caseNumber: Number(caseNumber),
  }))
