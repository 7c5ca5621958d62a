/** Limits of time that users read about, in the unit in which they read it. */

/** How long a verified factor is enough for sensitive actions. Source: OWASP ASVS 5.0, 7.5.3. */
export const VERIFICATION_MINUTES = 10

/** How long a link to a new password works. Source: OWASP ASVS 5.0, 6.4.3 and 6.5.5. */
export const PASSWORD_LINK_MINUTES = 30

/** How long the code that confirms an e-mail address works. */
export const EMAIL_CODE_MINUTES = 30

/** How long an invitation is valid, unless another time was chosen. */
export const INVITATION_DAYS = 7

/**
 * How long after its start an event is found among those that take place at a time. Longer events are possible, but a limit gives
 * the index scans by start a lower bound.
 */
export const MAX_EVENT_DAYS = 92

/** How long finished deliveries of webhooks are kept. */
export const DELIVERY_DAYS = 30

/** How long an attempt to deliver may take. */
export const DELIVERY_TIMEOUT_SECONDS = 15

/** A webhook whose deliveries have failed for this long is disabled. */
export const FAILING_WEBHOOK_DAYS = 5
