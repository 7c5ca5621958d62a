import { wire } from '@reeve/core'
import type { ApiKeyTable } from '@reeve/db'
import { answer, clearable, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { addressRanges } from './address.ts'

/** How long a rotated key may live on: 30 days. */
const MAX_GRACE_SECONDS = 30 * 24 * 3600

const workspaceId = field(wire.id, 'The workspace')
const id = field(wire.id, 'The API key')

export const KeyQuery = request({
  workspaceId,
  ended: field(wire.boolean, '`true`: those that were revoked or have expired; `false`: those that live'),
  ...pageFields,
})
export const NewKeyRequest = request({
  workspaceId,
  name: field(wire.text({ min: 1, max: 100, example: 'Main game server' }), 'What it is for'),
  permissions: field(wire.permissionSet, 'What it may do; never more than its maker may'),
  expiresAt: clearable(wire.time, 'When it ends; without, it lives until it is revoked'),
  allowedAddresses: clearable(addressRanges, 'Where it may be used from'),
})
export const RevokeKeyRequest = request({ workspaceId, id })
export const RotateKeyRequest = request({
  workspaceId,
  id,
  graceSeconds: field(
    wire.wholeNumber({ min: 0, max: MAX_GRACE_SECONDS, example: '86400' }),
    'How long the old key lives on, 0 by default',
  ),
})

export type KeyQueryInput = Static<typeof KeyQuery>
export type NewKeyInput = Static<typeof NewKeyRequest>
export type RevokeKeyInput = Static<typeof RevokeKeyRequest>
export type RotateKeyInput = Static<typeof RotateKeyRequest>

const statuses = ['live', 'expiring', 'revoked', 'expired'] as const

const ApiKey = answer(
  {
    id: shown('Id of the key'),
    name: shown('What it is for', 'Main game server'),
    hint: shown('Its last four characters', 'x7Qd'),
    permissions: shown('JSON array of what it may do', wire.permissionSet.example),
    allowedAddresses: shownOrNull('Where it may be used from; `null` is everywhere', addressRanges.example),
    rank: shown('Its rank: nobody below it revokes or rotates it', '10'),
    createdBy: shown('The account that made it'),
    createdByUsername: shownOrNull('The name of that account; null where it is gone'),
    createdAt: shown('When it was made', wire.time.example),
    expiresAt: shownOrNull('When it ends'),
    lastUsedAt: shownOrNull('When it was last used'),
    lastUsedAddress: shownOrNull('Where it was last used from'),
    revokedAt: shownOrNull('When it was revoked; in the future for a rotated key that lives on'),
    revokedBy: shownOrNull('Who revoked or rotated it'),
    revokedByUsername: shownOrNull('The name of that account'),
    status: Type.String({
      enum: [...statuses],
      description: '`expiring` is a rotated key that still lives',
    }),
  },
  'An API key',
)

export const ApiKeyAnswer = answer({ apiKey: ApiKey }, 'The API key')
export const ApiKeysAnswer = answer(
  { apiKeys: Type.Array(ApiKey), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'API keys, newest first',
)
export const NewKeyAnswer = answer(
  { apiKey: ApiKey, secret: shown('The key itself: shown this once and stored nowhere') },
  'The new API key',
)

function statusOf(row: ApiKeyTable, now: number): (typeof statuses)[number] {
  if (row.revoked_at !== null && row.revoked_at <= now) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.revoked_at === null ? 'live' : 'expiring'
}

const timeOrNull = (at: number | null) => (at === null ? null : wire.time.write(at))

/** A key with the names of those who made and ended it. */
export interface KeyRow extends ApiKeyTable {
  readonly created_by_username: string | null
  readonly revoked_by_username: string | null
}

/** A row as the portal shows it, true at the moment `now`. */
export const shownKey = (row: KeyRow, now: number): Static<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  permissions: row.permissions,
  allowedAddresses:
    row.allowed_addresses === null
      ? null
      : addressRanges.write(JSON.parse(row.allowed_addresses) as string[]),
  rank: String(row.rank),
  createdBy: row.created_by,
  createdByUsername: row.created_by_username,
  createdAt: wire.time.write(row.created_at),
  expiresAt: timeOrNull(row.expires_at),
  lastUsedAt: timeOrNull(row.last_used_at),
  lastUsedAddress: row.last_used_address,
  revokedAt: timeOrNull(row.revoked_at),
  revokedBy: row.revoked_by,
  revokedByUsername: row.revoked_by_username,
  status: statusOf(row, now),
})
