import {
  DAY_SECONDS,
  expiresBefore,
  expiryChangePermission,
  type FieldProblem,
  isSanctionKind,
  type Permission,
  SECOND_MS,
} from '@reeve/core'
import { PERMANENT, parseDuration, UNTIL_DATE } from '../action/duration.ts'
import { formatSanctionDuration } from '../format-time.ts'
import type { ModerationRequest } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'

/** Extensions to choose from, in seconds. */
const extensions = [DAY_SECONDS, 3 * DAY_SECONDS, 7 * DAY_SECONDS, 30 * DAY_SECONDS]

/** The new expiries to choose from. A permanent sanction can only get a date. */
export const expiryOptions = ({ expiresAt }: ModerationRecord) => [
  ...(expiresAt === null
    ? []
    : [
        ...extensions.map((seconds) => ({
          value: String(seconds),
          label: `${formatSanctionDuration(seconds)} longer`,
        })),
        { value: PERMANENT, label: 'Permanent' },
      ]),
  { value: UNTIL_DATE, label: 'Until…' },
]

/** The new expiry in milliseconds; null is permanent. */
export type ExpiryChange =
  | { readonly newExpiry: number | null; readonly problem?: never }
  | { readonly problem: FieldProblem; readonly newExpiry?: never }

/** Reads the new expiry from the form. */
export function parseExpiry(
  { expiresAt }: ModerationRecord,
  choice: string,
  until: string,
  now: number,
): ExpiryChange {
  if (choice !== UNTIL_DATE && choice !== PERMANENT && choice !== '' && expiresAt !== null) {
    return { newExpiry: new Date(expiresAt).getTime() + Number(choice) * SECOND_MS }
  }
  const duration = parseDuration(choice, until, now)
  if (duration.problem) return { problem: duration.problem }
  const newExpiry = duration.seconds === null ? null : new Date(until).getTime()
  return newExpiry !== null && expiresAt !== null && newExpiry === new Date(expiresAt).getTime()
    ? { problem: { field: 'until', message: 'is already the current expiry' } }
    : { newExpiry }
}

/** The request for a new expiry, in whole seconds from the server's own times, so that the local clock does not matter. */
export function toExpiryRequest(
  { id, createdAt, expiresAt }: ModerationRecord,
  { newExpiry }: ExpiryChange,
): ModerationRequest {
  if (newExpiry === null || newExpiry === undefined) return { action: 'edit', id, durationSeconds: PERMANENT }
  const seconds = (from: string) => String(Math.ceil((newExpiry - new Date(from).getTime()) / SECOND_MS))
  return expiresAt === null
    ? { action: 'edit', id, durationSeconds: seconds(createdAt) }
    : { action: 'extend', id, value: seconds(expiresAt) }
}

/** Why the user cannot set this expiry; null if they can. */
export function explainForbidden(
  { action, expiresAt }: ModerationRecord,
  { newExpiry }: ExpiryChange,
  permissions: ReadonlySet<Permission>,
): string | null {
  if (!isSanctionKind(action) || newExpiry === undefined) return null
  const currentExpiry = expiresAt === null ? null : new Date(expiresAt).getTime()
  const required = expiryChangePermission(action, currentExpiry, newExpiry)
  if (required === null || permissions.has(required)) return null
  return expiresBefore(newExpiry, currentExpiry)
    ? `You can extend this ${action} but not shorten it: that needs the permission to lift it.`
    : `You can shorten this ${action} but not extend it: that needs the permission to ${action} players.`
}
