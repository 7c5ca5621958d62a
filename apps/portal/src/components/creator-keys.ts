import { api, unwrap } from '../api/client.ts'
import type { CreationsQuery } from './creator-choice.ts'

/** An API key of a person that still works. */
export type CreatorKey = Awaited<ReturnType<typeof readMemberKeys>>[number] & {
  /** Who created the key, if it is listed with those of others. */
  readonly creator?: string
  readonly creatorRoleIds?: readonly string[]
}
export type CreatorKeys = readonly CreatorKey[]

async function readMemberKeys(workspaceId: string, accountId: string) {
  const query = { workspaceId, accountId }
  return (await unwrap(api.GET('/portal/api/members/keys', { params: { query } }))).apiKeys
}

/** The keys that a member of a workspace created. */
export const memberKeysQuery = (workspaceId: string, accountId: string): KeysQuery => ({
  queryKey: [workspaceId, 'api-keys', 'of', accountId],
  queryFn: () => readMemberKeys(workspaceId, accountId),
})

/** The keys that an account created in any workspace, for operators. */
export const accountKeysQuery = (id: string): KeysQuery => ({
  queryKey: ['operator', 'accounts', 'keys', id],
  queryFn: async () =>
    (await unwrap(api.GET('/admin/api/accounts/keys', { params: { query: { id } } }))).apiKeys,
})

/** The keys that the user created in any workspace. */
export const ownKeysQuery: KeysQuery = {
  queryKey: ['account', 'keys'],
  queryFn: async () => (await unwrap(api.GET('/portal/api/account/keys'))).apiKeys,
}

export type KeysQuery = CreationsQuery<CreatorKey>
