import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { type Pages, pagesQuery, usePages } from '../../api/pages.ts'
import { getNow } from '../../format/clock.ts'
import type { RecordFilters } from './record-filters.ts'

/** One moderation record, with its comments and evidence. */
export type ModerationRecord = Schemas['Record']
/** A record in a list, with the number of its comments and pieces of evidence. */
export type RecordSummary = Schemas['RecordSummary']
/** What both have. */
export type RecordFacts = Omit<RecordSummary, 'commentCount' | 'evidenceCount'>
/** A record before a change. */
export type RecordVersion = Schemas['Version']
/** A player, summarized from the records of the workspace. */
export type PlayerSummary = PortalSchemas['Player']
/** A ban or mute in force. */
export type ActiveSanction = NonNullable<PlayerSummary['ban']>

export interface RecordPage {
  readonly records: readonly RecordSummary[]
  readonly nextCursor: string | null
  /** How far a search got that examined many cases without filling the page. */
  readonly searchedToCase?: string | undefined
}

/** A query key; without further parts, the prefix of all moderation queries. */
export const moderationKey = (workspaceId: string, ...rest: readonly unknown[]) => [
  workspaceId,
  'moderation',
  ...rest,
]

async function fetchRecords(
  query: RecordFilters & { workspaceId: string; cursor?: string },
): Promise<RecordPage> {
  const page = await unwrap(api.GET('/api/moderation', { params: { query } }))
  if ('record' in page) throw createNetworkError()
  const { nextCursor, searchedToCase } = page
  const records = 'bans' in page ? page.bans : 'history' in page ? page.history : page.records
  return { records, nextCursor, searchedToCase }
}

/** Records, newest first. */
export const recordsQuery = (workspaceId: string, filters: RecordFilters) =>
  pagesQuery(moderationKey(workspaceId, 'records', filters), (cursor) =>
    fetchRecords({ workspaceId, ...filters, ...cursor }),
  )

export const useRecords = (workspaceId: string, filters: RecordFilters): Pages<RecordPage> =>
  useInfiniteQuery(recordsQuery(workspaceId, filters))

/** The longest delay that `setTimeout` supports. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
/** Extra delay after an expiry, so that the server has processed it. */
const EXPIRY_GRACE_MS = 250

/** When to refetch because a ban or mute expires; false if none does. */
function msUntilNextExpiry(expiryTimes: readonly (string | null | undefined)[]): number | false {
  const now = getNow()
  const remainingTimes = expiryTimes
    .flatMap((expiresAt) => (expiresAt ? [new Date(expiresAt).getTime() - now] : []))
    .filter((remainingMs) => remainingMs > 0)
  return remainingTimes.length === 0
    ? false
    : Math.min(Math.min(...remainingTimes) + EXPIRY_GRACE_MS, MAX_TIMEOUT_MS)
}

/** One player by id; null if there are no records of them. */
export const playerQuery = (workspaceId: string, userId: string) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'player', userId),
    queryFn: async (): Promise<PlayerSummary | null> => {
      const query = { workspaceId, userId }
      return (await unwrap(api.GET('/portal/api/players', { params: { query } }))).players[0] ?? null
    },
    refetchInterval: ({ state: { data } }) =>
      msUntilNextExpiry([data?.ban?.expiresAt, data?.mute?.expiresAt]),
  })

/** Players whose id starts with a text, or who have a name with it. */
export const usePlayers = (workspaceId: string, q: string) =>
  usePages(
    moderationKey(workspaceId, 'players', q),
    (cursor, { signal }) =>
      unwrap(api.GET('/portal/api/players', { params: { query: { workspaceId, q, ...cursor } }, signal })),
    { keepsPrevious: true },
  )

const REASON_LIMIT = '8'

/** Recent reasons for an action. */
export const useReasons = (workspaceId: string, action: string) =>
  useQuery({
    queryKey: moderationKey(workspaceId, 'reasons', action),
    queryFn: async () => {
      const query = { workspaceId, action, limit: REASON_LIMIT }
      return (await unwrap(api.GET('/portal/api/reasons', { params: { query } }))).reasons
    },
  })

export interface RecordHistory {
  readonly record: ModerationRecord
  /** Every earlier version, oldest first. */
  readonly versions: readonly RecordVersion[]
}

const VERSION_PAGE_SIZE = '200'

/** One record with its earlier versions. */
export const recordHistoryQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'record-history', id),
    queryFn: async (): Promise<RecordHistory> => {
      const versions: RecordVersion[] = []
      let cursor: string | null = null
      for (;;) {
        const query: Record<'workspaceId' | 'id' | 'limit', string> & { cursor?: string } = {
          workspaceId,
          id,
          limit: VERSION_PAGE_SIZE,
          ...(cursor !== null && { cursor }),
        }
        const page = await unwrap(api.GET('/api/moderation', { params: { query } }))
        if (!('record' in page)) throw createNetworkError()
        versions.push(...page.versions)
        cursor = page.nextCursor
        if (cursor === null) return { record: page.record, versions }
      }
    },
    refetchInterval: ({ state: { data } }) => msUntilNextExpiry([data?.record.expiresAt]),
  })

/** Names by the ids of accounts and API keys. */
export type ActorNames = ReadonlyMap<string, string>

const NAMES_STALE_MS = 300_000
const EMPTY_NAMES: ActorNames = new Map()

/** The names of accounts and API keys; without ids, of those who recorded something recently. */
export function actorNamesQuery(workspaceId: string, ids?: readonly string[]) {
  const uniqueIds = ids && [...new Set(ids)].sort()
  return queryOptions({
    queryKey: [workspaceId, 'actors', uniqueIds ?? 'recent'],
    queryFn: async (): Promise<ActorNames> => {
      const query = { workspaceId, ...(uniqueIds && { ids: uniqueIds.join(',') }) }
      const { actors } = await unwrap(api.GET('/portal/api/actors', { params: { query } }))
      return new Map(actors.map(({ id, name }) => [id, name]))
    },
    enabled: uniqueIds === undefined || uniqueIds.length > 0,
    staleTime: NAMES_STALE_MS,
  })
}

export const useActorNames = (workspaceId: string, ids?: readonly string[]): ActorNames =>
  useQuery(actorNamesQuery(workspaceId, ids)).data ?? EMPTY_NAMES
