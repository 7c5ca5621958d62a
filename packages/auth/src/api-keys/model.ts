import { wire } from '@reeve/core'
import type { ApiKeyTable } from '@reeve/db'
import {
  formatNullableTime,
  inputField,
  nullableInput,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { ipRanges } from '../ip-address.ts'

/** How long a rotated key may live on: 30 days. */
const MAX_GRACE_SECONDS = 30 * 24 * 3600

const workspaceId = inputField(wire.id, 'The workspace')
const id = inputField(wire.id, 'The API key')

export const KeyQuery = requestObject({
  workspaceId,
  ended: inputField(
    wire.boolean,
    '`true`: those that were revoked or have expired; `false`: those that live',
  ),
  ...pageFields,
})
export const NewKeyRequest = requestObject({
  workspaceId,
  name: inputField(wire.text({ min: 1, max: 100, example: 'Main game server' }), 'What it is for'),
  permissions: inputField(wire.permissionSet, 'What it may do; never more than its maker may'),
  expiresAt: nullableInput(wire.time, 'When it ends; without, it lives until it is revoked'),
  allowedAddresses: nullableInput(ipRanges, 'Where it may be used from'),
})
export const RevokeKeyRequest = requestObject({ workspaceId, id })
export const RotateKeyRequest = requestObject({
  workspaceId,
  id,
  graceSeconds: inputField(
    wire.integer({ min: 0, max: MAX_GRACE_SECONDS, example: '86400' }),
    'How long the old key lives on, 0 by default',
  ),
})

export type KeyQueryInput = Static<typeof KeyQuery>
export type NewKeyInput = Static<typeof NewKeyRequest>
export type RevokeKeyInput = Static<typeof RevokeKeyRequest>
export type RotateKeyInput = Static<typeof RotateKeyRequest>

const statuses = ['live', 'expiring', 'revoked', 'expired'] as const

const ApiKey = responseObject(
  {
    id: stringField('Id of the key'),
    name: stringField('What it is for', 'Main game server'),
    hint: stringField('Its last four characters', 'x7Qd'),
    permissions: stringField('JSON array of what it may do', wire.permissionSet.example),
    allowedAddresses: nullableString('Where it may be used from; `null` is everywhere', ipRanges.example),
    rank: stringField('Its rank: nobody below it revokes or rotates it', '10'),
    createdBy: stringField('The account that made it'),
    createdByUsername: nullableString('The name of that account; null where it is gone'),
    createdAt: stringField('When it was made', wire.time.example),
    expiresAt: nullableString('When it ends'),
    lastUsedAt: nullableString('When it was last used'),
    lastUsedAddress: nullableString('Where it was last used from'),
    revokedAt: nullableString('When it was revoked; in the future for a rotated key that lives on'),
    revokedBy: nullableString('Who revoked or rotated it'),
    revokedByUsername: nullableString('The name of that account'),
    status: Type.String({
      enum: [...statuses],
      description: '`expiring` is a rotated key that still lives',
    }),
  },
  'An API key',
)

export const ApiKeyResponse = responseObject({ apiKey: ApiKey }, 'The API key')
export const ApiKeysResponse = responseObject(
  { apiKeys: Type.Array(ApiKey), nextCursor: nullableString('Give it as `cursor` for the next page') },
  'API keys, newest first',
)
export const NewKeyResponse = responseObject(
  { apiKey: ApiKey, secret: stringField('The key itself: shown this once and stored nowhere') },
  'The new API key',
)

function getKeyStatus(row: ApiKeyTable, now: number): (typeof statuses)[number] {
  if (row.revoked_at !== null && row.revoked_at <= now) return 'revoked'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.revoked_at === null ? 'live' : 'expiring'
}

/** A key with the names of those who made and ended it. */
export interface KeyRow extends ApiKeyTable {
  readonly created_by_username: string | null
  readonly revoked_by_username: string | null
}

/** A row as the portal shows it, true at the moment `now`. */
export const presentKey = (row: KeyRow, now: number): Static<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  permissions: row.permissions,
  allowedAddresses:
    row.allowed_addresses === null ? null : ipRanges.write(JSON.parse(row.allowed_addresses) as string[]),
  rank: String(row.rank),
  createdBy: row.created_by,
  createdByUsername: row.created_by_username,
  createdAt: wire.time.write(row.created_at),
  expiresAt: formatNullableTime(row.expires_at),
  lastUsedAt: formatNullableTime(row.last_used_at),
  lastUsedAddress: row.last_used_address,
  revokedAt: formatNullableTime(row.revoked_at),
  revokedBy: row.revoked_by,
  revokedByUsername: row.revoked_by_username,
  status: getKeyStatus(row, now),
})
