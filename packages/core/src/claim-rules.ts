import { MINUTE_MS } from './duration.ts'

/** How long a claim of a record or an appeal lasts after it was taken or renewed. */
export const CLAIM_LEASE_MINUTES = 15
export const CLAIM_LEASE_MS = CLAIM_LEASE_MINUTES * MINUTE_MS
