import { api, unwrap } from '../api/client.ts'
import { type Creations, type CreationsQuery, toCreations } from './creator-choice.ts'

/** An API key of a person that still works. */
export type CreatorKey = Awaited<ReturnType<typeof readMemberKeys>>['items'][number] & {
  /** Who created the key, if it is listed with those of others. */
  readonly creator?: string
  readonly creatorRoleIds?: readonly string[]
}
export type CreatorKeys = Creations<CreatorKey>

async function readMemberKeys(workspaceId: string, accountId: string) {
  const query = { workspaceId, accountId }
  const { apiKeys, more } = await unwrap(api.GET('/portal/api/members/keys', { params: { query } }))
  return toCreations(apiKeys, more)
}

/** The keys that a member of a workspace created. */
export const memberKeysQuery = (workspaceId: string, accountId: string): KeysQuery => ({
  queryKey: [workspaceId, 'api-keys', 'of', accountId],
  queryFn: () => readMemberKeys(workspaceId, accountId),
})

/** The keys that an account created in any workspace, for operators. */
export const accountKeysQuery = (id: string): KeysQuery => ({
  queryKey: ['operator', 'accounts', 'keys', id],
  queryFn: async () => {
    const { apiKeys, more } = await unwrap(api.GET('/admin/api/accounts/keys', { params: { query: { id } } }))
    return toCreations(apiKeys, more)
  },
})

/** The keys that the user created in any workspace. */
export const ownKeysQuery: KeysQuery = {
  queryKey: ['account', 'keys'],
  queryFn: async () => {
    const { apiKeys, more } = await unwrap(api.GET('/portal/api/account/keys'))
    return toCreations(apiKeys, more)
  },
}

export type KeysQuery = CreationsQuery<CreatorKey>
