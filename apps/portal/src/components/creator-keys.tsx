import { Checkbox, Input, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { pluralize } from '../format/number.ts'
import classes from './creator-keys.module.css'
import { ErrorState, LoadingRows } from './empty-error-loading.tsx'
import { FormattedTime } from './formatted-time.tsx'

/** The API keys of a person, or of several, that still work. */
export type CreatorKeys = readonly (Awaited<ReturnType<typeof readMemberKeys>>[number] & {
  /** Who created the key, if they are of several people. */
  readonly creator?: string
  readonly creatorRoleIds?: readonly string[]
})[]

async function readMemberKeys(workspaceId: string, accountId: string) {
  const query = { workspaceId, accountId }
  return (await unwrap(api.GET('/portal/api/members/keys', { params: { query } }))).apiKeys
}

/** The keys that a member of a workspace created. */
export const memberKeysQuery = (workspaceId: string, accountId: string) => ({
  queryKey: [workspaceId, 'api-keys', 'of', accountId],
  queryFn: () => readMemberKeys(workspaceId, accountId),
  staleTime: 0,
})

/** The keys that an account created in any workspace, for operators. */
export const accountKeysQuery = (id: string) => ({
  queryKey: ['operator', 'accounts', 'keys', id],
  queryFn: async (): Promise<CreatorKeys> =>
    (await unwrap(api.GET('/admin/api/accounts/keys', { params: { query: { id } } }))).apiKeys,
  staleTime: 0,
})

/** The keys that the user created in any workspace. */
export const ownKeysQuery = {
  queryKey: ['account', 'keys'],
  queryFn: async (): Promise<CreatorKeys> => (await unwrap(api.GET('/portal/api/account/keys'))).apiKeys,
  staleTime: 0,
}

export interface KeysQuery {
  readonly queryKey: readonly unknown[]
  readonly queryFn: () => Promise<CreatorKeys>
  /** Those that are shown. */
  readonly select?: (keys: CreatorKeys) => CreatorKeys
  readonly staleTime: number
}

/** The choice of keys to revoke: all of them unless the user decides otherwise. */
export interface KeyRevocation {
  readonly result: UseQueryResult<CreatorKeys>
  readonly skippedIds: readonly string[]
  readonly setSkipped: (id: string, isSkipped: boolean) => void
  /** Whether the keys are known, so that the user has seen what becomes of them. */
  readonly isReady: boolean
  /** The keys to revoke. */
  readonly chosenKeys: CreatorKeys
  /** The IDs to send. */
  readonly revokeKeyIds: string
}

/** The IDs of keys, as a request sends them. */
export const joinIds = (keys: CreatorKeys): string => keys.map(({ id }) => id).join(',')

export function useKeyRevocation(query: KeysQuery): KeyRevocation {
  const result = useQuery<CreatorKeys>(query)
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const chosenKeys = (result.data ?? []).filter(({ id }) => !skippedIds.includes(id))
  return {
    result,
    skippedIds,
    setSkipped: (id, isSkipped) =>
      setSkippedIds((ids) => (isSkipped ? [...ids, id] : ids.filter((other) => other !== id))),
    isReady: result.data !== undefined,
    chosenKeys,
    revokeKeyIds: joinIds(chosenKeys),
  }
}

interface Props {
  readonly revocation: KeyRevocation
  /** Who created the keys: `robin`, `You`, or `Members`. */
  readonly creator: ReactNode
  /** Shows the workspace of each key. */
  readonly showsWorkspace?: boolean
  /** What becomes of the keys that stay. */
  readonly note?: string
}

/** The keys of a person whose access ends, each to be revoked unless the user keeps it. Nothing if there are none. */
export function CreatorKeysField({ revocation, creator, showsWorkspace = false, note }: Props) {
  const { result, skippedIds, setSkipped } = revocation
  if (result.isError && !result.data)
    return <ErrorState error={result.error} retry={() => void result.refetch()} />
  if (!result.data) return <LoadingRows rows={1} height={44} />
  if (result.data.length === 0) return null
  return (
    <Input.Wrapper
      label={`${pluralize(result.data.length, 'API key')} to revoke`}
      labelElement="div"
      description={
        <>
          {creator} created these keys and may have copies. Keys that you keep go on working. {note}
        </>
      }
    >
      <fieldset aria-label="API keys to revoke" className={classes.list}>
        {result.data.map(({ id, name, hint, groupName, lastUsedAt, creator: username }) => (
          <Checkbox
            key={id}
            checked={!skippedIds.includes(id)}
            onChange={(event) => setSkipped(id, !event.currentTarget.checked)}
            label={
              <>
                Revoke <bdi>{name}</bdi> …{hint}
              </>
            }
            description={
              <Text component="span" inherit>
                {username === undefined ? null : (
                  <>
                    <bdi>{username}</bdi> ·{' '}
                  </>
                )}
                {showsWorkspace ? (
                  <>
                    <bdi>{groupName}</bdi> ·{' '}
                  </>
                ) : null}
                {lastUsedAt === null ? (
                  'Never used'
                ) : (
                  <>
                    Last used <FormattedTime value={lastUsedAt} />
                  </>
                )}
              </Text>
            }
          />
        ))}
      </fieldset>
    </Input.Wrapper>
  )
}
