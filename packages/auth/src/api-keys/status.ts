export const keyStatuses = ['live', 'expiring', 'revoked', 'expired'] as const

export type KeyStatus = (typeof keyStatuses)[number]

/**
 * The status of an API key at `now`. All times are epoch milliseconds; a key ends at the exact time.
 * @returns `expiring` for a rotated key whose grace period has not ended: its revocation is scheduled
 */
export function getKeyStatus(
  { revokedAt, expiresAt }: { readonly revokedAt: number | null; readonly expiresAt: number | null },
  now: number,
): KeyStatus {
  if (revokedAt !== null && revokedAt <= now) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return revokedAt === null ? 'live' : 'expiring'
}
