import { expiresBefore } from './expiry.ts'
import type { Permission } from './permission-catalog.ts'

/** The rules of moderation records that the server enforces and the portal shows. Pure. */

/** Actions that create a record, in the order in which the portal offers them. */
export const recordActions = ['ban', 'mute', 'kick', 'warn', 'note'] as const
export type RecordAction = (typeof recordActions)[number]

export const isRecordAction = (text: string): text is RecordAction =>
  (recordActions as readonly string[]).includes(text)

/** Records that stay in force until they expire or are lifted. */
export const sanctionKinds = ['ban', 'mute'] as const
export type SanctionKind = (typeof sanctionKinds)[number]

export const isSanctionKind = (action: string): action is SanctionKind =>
  (sanctionKinds as readonly string[]).includes(action)

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

/** The severity of a record that is created without one. */
export const DEFAULT_SEVERITY = {
  ban: 'high',
  mute: 'medium',
  kick: 'medium',
  warn: 'low',
  note: 'low',
} as const satisfies Record<RecordAction, Severity>

export const recordStatuses = ['active', 'expired', 'revoked', 'superseded'] as const
export type RecordStatus = (typeof recordStatuses)[number]

/** The permission to create each kind of record. */
export const CREATE_PERMISSIONS = {
  ban: 'moderation.ban',
  mute: 'moderation.mute',
  kick: 'moderation.kick',
  warn: 'moderation.warn',
  note: 'moderation.note',
} as const satisfies Record<RecordAction, Permission>

/**
 * The permission to lift each kind of sanction, and to revoke a record of it that is in force. Banning and unbanning are
 * separate permissions on purpose; one permission covers muting and unmuting.
 */
export const LIFT_PERMISSIONS = {
  ban: 'moderation.unban',
  mute: 'moderation.mute',
} as const satisfies Record<SanctionKind, Permission>

/**
 * The permission to move the expiry of a sanction in force: an earlier expiry needs the permission to lift, a later one
 * the permission to impose.
 * @param from epoch milliseconds; null is permanent
 * @param to likewise
 * @returns null if the expiry does not change
 */
export function expiryChangePermission(
  kind: SanctionKind,
  from: number | null,
  to: number | null,
): Permission | null {
  if (expiresBefore(to, from)) return LIFT_PERMISSIONS[kind]
  return expiresBefore(from, to) ? CREATE_PERMISSIONS[kind] : null
}

/** The values that replace the texts of a redacted record, by column. */
export const redactedTexts = {
  reason: null,
  evidence: '[]',
  evidence_count: 0,
  evidence_files: '[]',
  evidence_file_count: 0,
  comments: '[]',
  comment_count: 0,
  revoke_reason: null,
} as const
