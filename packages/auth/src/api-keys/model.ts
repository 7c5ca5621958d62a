import { parseLimits, wire } from '@reeve/core'
import type { ApiKeyTable } from '@reeve/db'
import {
  inputField,
  limitFields,
  nextCursor,
  nullableInput,
  nullableString,
  pageFields,
  presentLimits,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { ipRanges } from '../ip-address.ts'
import { type CreatorColumns, creatorStatuses, getCreatorStatus } from './creator-status.ts'
import { getKeyStatus, keyStatuses } from './status.ts'

/** The longest grace period of a rotation: 30 days. */
const MAX_GRACE_SECONDS = 30 * 24 * 3600

const workspaceId = inputField(wire.id, 'The workspace')
const id = inputField(wire.id, 'The API key')

export const KeyQuery = requestObject({
  workspaceId,
  ended: inputField(
    wire.boolean,
    '`true` for revoked and expired keys, `false` for live ones; all by default',
  ),
  ...pageFields,
})
export const NewKeyRequest = requestObject({
  workspaceId,
  name: inputField(wire.name({ min: 1, max: 100, example: 'Main game server' }), 'What the key is for'),
  permissions: inputField(wire.permissionSet, 'Permissions of the key; you need every one of them'),
  expiresAt: nullableInput(wire.time, 'When the key expires; never by default'),
  allowedAddresses: nullableInput(ipRanges, 'IP addresses that the key may be used from; all by default'),
})
export const RevokeKeyRequest = requestObject({ workspaceId, id })
export const ConfirmKeyRequest = requestObject({ workspaceId, id })
export const RotateKeyRequest = requestObject({
  workspaceId,
  id,
  graceSeconds: inputField(
    wire.integer({ min: 0, max: MAX_GRACE_SECONDS, example: '86400' }),
    'How long the old key stays valid; 0 by default',
  ),
  expiresAt: nullableInput(
    wire.time,
    'When the new key expires; `null` for never. At the time of the old key by default',
  ),
})

export type KeyQueryInput = Static<typeof KeyQuery>
export type NewKeyInput = Static<typeof NewKeyRequest>
export type RevokeKeyInput = Static<typeof RevokeKeyRequest>
export type ConfirmKeyInput = Static<typeof ConfirmKeyRequest>
export type RotateKeyInput = Static<typeof RotateKeyRequest>

const ApiKey = responseObject(
  {
    id: stringField('API key id'),
    name: stringField('What the key is for', 'Main game server'),
    hint: stringField('Last four characters of the key', 'x7Qd'),
    permissions: stringField('JSON array of the permissions of the key', wire.permissionSet.example),
    allowedAddresses: nullableString(
      'IP addresses that the key may be used from; `null` allows all',
      ipRanges.example,
    ),
    ...limitFields,
    rank: stringField('Rank of the key: only members of at least this rank can revoke or rotate it', '10'),
    createdBy: stringField('Id of the account that created the key'),
    createdByUsername: nullableString('Username of that account; `null` if the account no longer exists'),
    creatorStatus: Type.String({
      enum: [...creatorStatuses],
      description:
        '`member` is an enabled member of the workspace, or the command line; of all others, the key still works although its creator is gone',
    }),
    createdAt: stringField('When the key was created', wire.time.example),
    expiresAt: nullableString('When the key expires'),
    lastUsedAt: nullableString('When the key was last used'),
    lastUsedAddress: nullableString('IP address that the key was last used from'),
    revokedAt: nullableString(
      'When the key was revoked; in the future during the grace period of a rotation',
    ),
    revokedBy: nullableString('Id of the account that revoked or rotated the key'),
    revokedByUsername: nullableString('Username of that account'),
    restoredAt: nullableString(
      'When a restore from a backup brought the key back; `null` unless it waits for confirmation',
    ),
    status: Type.String({
      enum: [...keyStatuses],
      description: '`expiring` is a rotated key in its grace period',
    }),
  },
  'An API key',
)

export const ApiKeyResponse = responseObject({ apiKey: ApiKey }, 'The API key')
export const ApiKeysResponse = responseObject(
  { apiKeys: Type.Array(ApiKey), nextCursor },
  'API keys, newest first',
)
export const NewKeyResponse = responseObject(
  { apiKey: ApiKey, secret: stringField('The key itself. It is shown only once and is not stored.') },
  'The new API key',
)

/** A key with the usernames of its creator and revoker. */
export interface KeyRow extends ApiKeyTable, CreatorColumns {
  readonly created_by_username: string | null
  readonly revoked_by_username: string | null
}

/** @param now epoch milliseconds; decides the status */
export const presentKey = (row: KeyRow, now: number): Static<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  permissions: row.permissions,
  allowedAddresses:
    row.allowed_addresses === null ? null : ipRanges.write(JSON.parse(row.allowed_addresses) as string[]),
  ...presentLimits(parseLimits(row.limits)),
  rank: String(row.rank),
  createdBy: row.created_by,
  createdByUsername: row.created_by_username,
  creatorStatus: getCreatorStatus(row),
  createdAt: wire.time.write(row.created_at),
  expiresAt: wire.writeNullableTime(row.expires_at),
  lastUsedAt: wire.writeNullableTime(row.last_used_at),
  lastUsedAddress: row.last_used_address,
  revokedAt: wire.writeNullableTime(row.revoked_at),
  revokedBy: row.revoked_by,
  revokedByUsername: row.revoked_by_username,
  restoredAt: wire.writeNullableTime(row.restored_at),
  status: getKeyStatus({ revokedAt: row.revoked_at, expiresAt: row.expires_at }, now),
})
