import { canManageApiKey, OWNER_RANK, type Permission } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../../api/client.ts'
import type { Workspace } from '../../../api/me.ts'
import { formatPermission } from '../../../components/permission-labels.ts'

/** An API key, as it is worked with here. */
export interface ApiKey
  extends Omit<PortalSchemas['ApiKey'], 'permissions' | 'rank' | 'allowedAddresses' | 'status'> {
  readonly permissions: readonly Permission[]
  readonly rank: number
  /** Empty where it may be used from everywhere. */
  readonly allowedIps: readonly string[]
  readonly status: 'live' | 'expiring' | 'revoked' | 'expired'
}

/** A key that was made this moment, and its secret, which nobody is told again. */
export interface CreatedKey {
  readonly key: ApiKey
  readonly secret: string
}

const parseKey = ({ permissions, rank, allowedAddresses, ...key }: PortalSchemas['ApiKey']): ApiKey => ({
  ...key,
  permissions: JSON.parse(permissions) as Permission[],
  rank: Number(rank),
  allowedIps: allowedAddresses?.split(', ') ?? [],
})

/** Everything there is of keys in a workspace begins its keys with this. */
export const apiKeysKey = (workspaceId: string) => [workspaceId, 'api-keys'] as const

/** More than may live at once, so that one page holds them all. */
const MAX_ACTIVE_KEYS = '200'

/** The keys that work. */
export const activeKeysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...apiKeysKey(workspaceId), 'live'],
    queryFn: async (): Promise<readonly ApiKey[]> => {
      const query = { workspaceId, ended: 'false', limit: MAX_ACTIVE_KEYS }
      const { apiKeys } = await unwrap(api.GET('/portal/api/api-keys', { params: { query } }))
      return apiKeys.map(parseKey)
    },
    // A use is told of by nothing: whoever comes back to the page sees the latest.
    refetchOnWindowFocus: 'always',
  })

/** A page of the keys that have been revoked or have expired. */
export async function readInactiveKeys(workspaceId: string, cursor: { readonly cursor?: string }) {
  const query = { workspaceId, ended: 'true', ...cursor }
  const { apiKeys, nextCursor } = await unwrap(api.GET('/portal/api/api-keys', { params: { query } }))
  return { keys: apiKeys.map(parseKey), nextCursor }
}

interface CreateKeyInput {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** RFC 3339; null lives until it is revoked. */
  readonly expiresAt: string | null
  readonly allowedAddresses: string
}

/** Makes a key. */
export async function createKey(
  workspaceId: string,
  { permissions, ...key }: CreateKeyInput,
): Promise<CreatedKey> {
  const body = { workspaceId, ...key, permissions: JSON.stringify(permissions) }
  const { apiKey, secret } = await unwrap(api.POST('/portal/api/api-keys', { body }))
  return { key: parseKey(apiKey), secret }
}

/** Puts a new key in the place of one, which lives on for that long. */
export async function rotateKey(
  workspaceId: string,
  { id }: ApiKey,
  graceSeconds: string,
): Promise<CreatedKey> {
  const body = { workspaceId, id, graceSeconds }
  const { apiKey, secret } = await unwrap(api.POST('/portal/api/api-keys/rotate', { body }))
  return { key: parseKey(apiKey), secret }
}

/** Ends a key at once. */
export const revokeKey = (workspaceId: string, { id }: ApiKey) =>
  unwrap(api.POST('/portal/api/api-keys/revoke', { body: { workspaceId, id } }))

/** Tells keys of one name apart: `…x7Qd`. */
export const formatKeyHint = ({ hint }: Pick<ApiKey, 'hint'>): string => `…${hint}`

type Viewer = Pick<Workspace, 'rank' | 'permissions'>

/** Why the reader can neither revoke nor rotate a key; null where they can. */
export const explainCannotManage = (viewer: Viewer, key: ApiKey): string | null => {
  if (canManageApiKey(viewer, key)) return null
  return key.rank === OWNER_RANK
    ? 'The owner made it, so only the owner can end it.'
    : 'Somebody of a higher rank made it, so only they and those above can end it.'
}

/** Why the reader can not rotate a key that they could revoke; null where they can. */
export function explainCannotRotate(viewer: Viewer, key: ApiKey): string | null {
  if (key.status === 'expiring') return 'It was rotated already.'
  const missingPermission = key.permissions.find((permission) => !viewer.permissions.has(permission))
  return missingPermission === undefined
    ? null
    : `It may do what you may not (“${formatPermission(missingPermission)}”), and you cannot give that to a new key.`
}
