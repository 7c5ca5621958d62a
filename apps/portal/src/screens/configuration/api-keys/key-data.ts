import { OWNER_RANK, type Permission } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, take } from '../../../api/client.ts'
import type { Workspace } from '../../../api/me.ts'
import { permissionWords } from '../../../components/permission-words.ts'

/** An API key, as it is worked with here. */
export interface ApiKey
  extends Omit<PortalSchemas['ApiKey'], 'permissions' | 'rank' | 'allowedAddresses' | 'status'> {
  readonly permissions: readonly Permission[]
  readonly rank: number
  /** Empty where it may be used from everywhere. */
  readonly addresses: readonly string[]
  readonly status: 'live' | 'expiring' | 'revoked' | 'expired'
}

/** A key that was made this moment, and its secret, which nobody is told again. */
export interface FreshKey {
  readonly key: ApiKey
  readonly secret: string
}

const readKey = ({ permissions, rank, allowedAddresses, ...key }: PortalSchemas['ApiKey']): ApiKey => ({
  ...key,
  permissions: JSON.parse(permissions) as Permission[],
  rank: Number(rank),
  addresses: allowedAddresses?.split(', ') ?? [],
})

/** Everything there is of keys in a workspace begins its keys with this. */
export const keysKey = (workspaceId: string) => [workspaceId, 'api-keys'] as const

/** More than may live at once, so that one page holds them all. */
const EVERY_LIVE_ONE = '200'

/** The keys that work. */
export const liveKeysQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...keysKey(workspaceId), 'live'],
    queryFn: async (): Promise<readonly ApiKey[]> => {
      const query = { workspaceId, ended: 'false', limit: EVERY_LIVE_ONE }
      const { apiKeys } = await take(api.GET('/portal/api/api-keys', { params: { query } }))
      return apiKeys.map(readKey)
    },
    // A use is told of by nothing: whoever comes back to the page sees the latest.
    refetchOnWindowFocus: 'always',
  })

/** A page of the keys that have been revoked or have expired. */
export async function readEndedKeys(workspaceId: string, cursor: { readonly cursor?: string }) {
  const query = { workspaceId, ended: 'true', ...cursor }
  const { apiKeys, nextCursor } = await take(api.GET('/portal/api/api-keys', { params: { query } }))
  return { keys: apiKeys.map(readKey), nextCursor }
}

interface NewKey {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** RFC 3339; null lives until it is revoked. */
  readonly expiresAt: string | null
  readonly allowedAddresses: string
}

/** Makes a key. */
export async function makeKey(workspaceId: string, { permissions, ...key }: NewKey): Promise<FreshKey> {
  const body = { workspaceId, ...key, permissions: JSON.stringify(permissions) }
  const { apiKey, secret } = await take(api.POST('/portal/api/api-keys', { body }))
  return { key: readKey(apiKey), secret }
}

/** Puts a new key in the place of one, which lives on for that long. */
export async function rotateKey(
  workspaceId: string,
  { id }: ApiKey,
  graceSeconds: string,
): Promise<FreshKey> {
  const body = { workspaceId, id, graceSeconds }
  const { apiKey, secret } = await take(api.POST('/portal/api/api-keys/rotate', { body }))
  return { key: readKey(apiKey), secret }
}

/** Ends a key at once. */
export const revokeKey = (workspaceId: string, { id }: ApiKey) =>
  take(api.POST('/portal/api/api-keys/revoke', { body: { workspaceId, id } }))

/** Tells keys of one name apart: `…x7Qd`. */
export const hintOf = ({ hint }: Pick<ApiKey, 'hint'>): string => `…${hint}`

type Reader = Pick<Workspace, 'rank' | 'permissions'>

/** Why the reader can neither revoke nor rotate a key; null where they can. */
export const whyOutOfReach = (reader: Reader, { rank }: ApiKey): string | null => {
  if (rank <= reader.rank) return null
  return rank === OWNER_RANK
    ? 'The owner made it, so only the owner can end it.'
    : 'Somebody of a higher rank made it, so only they and those above can end it.'
}

/** Why the reader can not rotate a key that they could revoke; null where they can. */
export function whyNoRotation(reader: Reader, key: ApiKey): string | null {
  if (key.status === 'expiring') return 'It was rotated already.'
  const lacked = key.permissions.find((permission) => !reader.permissions.has(permission))
  return lacked === undefined
    ? null
    : `It may do what you may not (“${permissionWords(lacked)}”), and you cannot give that to a new key.`
}
