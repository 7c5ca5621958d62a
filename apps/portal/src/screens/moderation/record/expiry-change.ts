import {
  expiresBefore,
  expiryChangePermission,
  type FieldProblem,
  isSanctionKind,
  type Permission,
} from '@reeve/core'
import { PERMANENT, parseDuration, UNTIL_DATE } from '../action/duration.ts'
import { formatSanctionDuration } from '../format-time.ts'
import type { ModerationRequest } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60

/** How much later, in seconds. */
const extensions = [DAY, 3 * DAY, 7 * DAY, 30 * DAY]

/** What the end can be moved to: what has none can only be given one. */
export const expiryOptions = ({ expiresAt }: ModerationRecord) => [
  ...(expiresAt === null
    ? []
    : [
        ...extensions.map((seconds) => ({
          value: String(seconds),
          label: `${formatSanctionDuration(seconds)} longer`,
        })),
        { value: PERMANENT, label: 'Without end' },
      ]),
  { value: UNTIL_DATE, label: 'Until…' },
]

/** When it is to end; null is never. */
export type ExpiryChange =
  | { readonly newExpiry: number | null; readonly problem?: never }
  | { readonly problem: FieldProblem; readonly newExpiry?: never }

/** The end that was chosen. */
export function parseExpiry(
  { expiresAt }: ModerationRecord,
  choice: string,
  until: string,
  now: number,
): ExpiryChange {
  if (choice !== UNTIL_DATE && choice !== PERMANENT && choice !== '' && expiresAt !== null) {
    return { newExpiry: new Date(expiresAt).getTime() + Number(choice) * SECOND }
  }
  const duration = parseDuration(choice, until, now)
  if (duration.problem) return { problem: duration.problem }
  const newExpiry = duration.seconds === null ? null : new Date(until).getTime()
  return newExpiry !== null && expiresAt !== null && newExpiry === new Date(expiresAt).getTime()
    ? { problem: { field: 'until', message: 'is the end that it has already' } }
    : { newExpiry }
}

/** What carries it out: whole seconds from where the server counts, so that no clock of ours matters. */
export function toExpiryRequest(
  { id, createdAt, expiresAt }: ModerationRecord,
  { newExpiry }: ExpiryChange,
): ModerationRequest {
  if (newExpiry === null || newExpiry === undefined) return { action: 'edit', id, durationSeconds: PERMANENT }
  const seconds = (from: string) => String(Math.ceil((newExpiry - new Date(from).getTime()) / SECOND))
  return expiresAt === null
    ? { action: 'edit', id, durationSeconds: seconds(createdAt) }
    : { action: 'extend', id, value: seconds(expiresAt) }
}

/** Why the reader may not move it there, or null where they may. */
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
    ? `You may make this ${action} longer, but not let it end sooner: that is for those who may lift it.`
    : `You may let this ${action} end sooner, but not make it longer: that is for those who may ${action} players.`
}
