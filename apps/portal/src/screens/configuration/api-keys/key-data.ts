import { canManageApiKey, OWNER_RANK, type Permission, type RoleLimits } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../../api/client.ts'
import type { Workspace } from '../../../api/me.ts'
import { formatPermission } from '../../../components/permission-labels.ts'
import { readLimits } from '../../../format/limits.ts'

/** An API key with parsed fields. */
export interface ApiKey
  extends Omit<PortalSchemas['ApiKey'], 'permissions' | 'rank' | 'allowedAddresses' | 'status'> {
  readonly permissions: readonly Permission[]
  readonly rank: number
  /** Those of its creator when it was created, and stricter ones that the creator got later. */
  readonly limits: RoleLimits
  /** Empty if any IP address is allowed. */
  readonly allowedIps: readonly string[]
  readonly status: 'live' | 'expiring' | 'revoked' | 'expired'
}

/** A new key and its secret, which the server returns only once. */
export interface CreatedKey {
  readonly key: ApiKey
  readonly secret: string
}

const parseKey = ({ permissions, rank, allowedAddresses, ...key }: PortalSchemas['ApiKey']): ApiKey => ({
  ...key,
  permissions: JSON.parse(permissions) as Permission[],
  rank: Number(rank),
  limits: readLimits(key),
  allowedIps: allowedAddresses?.split(', ') ?? [],
})

/** When a key ends or has ended: it expires or is revoked, whichever is first. Null if it does not end. */
export const findEnd = ({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>): string | null =>
  expiresAt !== null && revokedAt !== null && Date.parse(expiresAt) < Date.parse(revokedAt)
    ? expiresAt
    : (revokedAt ?? expiresAt)

/** Prefix of all query keys about API keys of a workspace. */
export const apiKeysKey = (workspaceId: string) => [workspaceId, 'api-keys'] as const

/** Above the limit of active keys, so that one page contains all of them. */
const MAX_ACTIVE_KEYS = '200'

/** The active keys. */
export const activeKeysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...apiKeysKey(workspaceId), 'live'],
    queryFn: async (): Promise<readonly ApiKey[]> => {
      const query = { workspaceId, ended: 'false', limit: MAX_ACTIVE_KEYS }
      const { apiKeys } = await unwrap(api.GET('/portal/api/api-keys', { params: { query } }))
      return apiKeys.map(parseKey)
    },
    // The use of a key sends no live update.
    refetchOnWindowFocus: 'always',
  })

/** Reads one page of the revoked and expired keys. */
export async function readInactiveKeys(workspaceId: string, cursor: { readonly cursor?: string }) {
  const query = { workspaceId, ended: 'true', ...cursor }
  const { apiKeys, nextCursor } = await unwrap(api.GET('/portal/api/api-keys', { params: { query } }))
  return { keys: apiKeys.map(parseKey), nextCursor }
}

interface CreateKeyInput {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** RFC 3339; null for no expiry. */
  readonly expiresAt: string | null
  readonly allowedAddresses: string
}

export async function createKey(
  workspaceId: string,
  { permissions, ...key }: CreateKeyInput,
): Promise<CreatedKey> {
  const body = { workspaceId, ...key, permissions: JSON.stringify(permissions) }
  const { apiKey, secret } = await unwrap(api.POST('/portal/api/api-keys', { body }))
  return { key: parseKey(apiKey), secret }
}

/**
 * Replaces a key with a new one; the old one works for the grace period.
 * @param rotation.expiresAt of the new one: RFC 3339; null for no expiry
 */
export async function rotateKey(
  workspaceId: string,
  { id }: ApiKey,
  rotation: { readonly graceSeconds: string; readonly expiresAt: string | null },
): Promise<CreatedKey> {
  const body = { workspaceId, id, ...rotation }
  const { apiKey, secret } = await unwrap(api.POST('/portal/api/api-keys/rotate', { body }))
  return { key: parseKey(apiKey), secret }
}

/** Revokes a key with immediate effect. */
export const revokeKey = (workspaceId: string, { id }: ApiKey) =>
  unwrap(api.POST('/portal/api/api-keys/revoke', { body: { workspaceId, id } }))

/** Confirms a key that a restore has brought back. */
export const confirmKey = (workspaceId: string, { id }: ApiKey) =>
  unwrap(api.POST('/portal/api/api-keys/confirm', { body: { workspaceId, id } }))

/** The last characters of a key, to distinguish keys with the same name: `…x7Qd`. */
export const formatKeyHint = ({ hint }: Pick<ApiKey, 'hint'>): string => `…${hint}`

type Viewer = Pick<Workspace, 'rank' | 'permissions'>

/** Why the user can neither revoke nor rotate a key; null if they can. */
export const explainCannotManage = (viewer: Viewer, key: ApiKey): string | null => {
  if (canManageApiKey(viewer, key)) return null
  return key.rank === OWNER_RANK
    ? 'Only the owner can manage this key, because the owner created it.'
    : 'This key was created by someone with a higher rank than yours. Only members with at least that rank can manage it.'
}

/** Why the user cannot rotate a key that they can revoke; null if they can. */
export function explainCannotRotate(viewer: Viewer, key: ApiKey): string | null {
  if (key.status === 'expiring') return 'This key has already been rotated.'
  const missingPermission = key.permissions.find((permission) => !viewer.permissions.has(permission))
  return missingPermission === undefined
    ? null
    : `This key has a permission that you do not have (“${formatPermission(missingPermission)}”), so you cannot grant it to a new key.`
}
