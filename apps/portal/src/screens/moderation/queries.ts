import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { type Pages, pagesQuery, usePages } from '../../api/pages.ts'
import { type ExpiryTimes, refetchAtExpiry } from '../../api/refetch-at-expiry.ts'
import type { RecordFilters } from './record-filters.ts'

/** One moderation record, with its comments and evidence. */
export type ModerationRecord = Schemas['Record']
/** A record in a list, with the number of its comments and pieces of evidence. */
export type RecordSummary = Schemas['RecordSummary']
/** What both have. */
export type RecordFacts = Omit<
  RecordSummary,
  'commentCount' | 'waitsForApproval' | 'evidenceCount' | 'evidenceFileCount' | 'message'
>
/** A record at any time, without what follows from its other fields. */
export type RecordRevision = Omit<ModerationRecord, 'message'>
/** A record before a change. */
export type RecordVersion = Schemas['Version']
/** A player, summarized from the records of the workspace. */
export type PlayerSummary = PortalSchemas['Player']
/** What staff see first about a player. */
export type PinnedNote = PortalSchemas['PinnedNote']
/** Two players who may be the same person. */
export type PlayerLink = Schemas['Link']
/** An open appeal of a ban in force. */
export type OpenAppeal = PlayerSummary['openAppeals'][number]
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

/** When a record expires that is active; null if it does not. */
const getExpiryTime = ({ status, expiresAt }: RecordFacts): string | null =>
  status === 'active' ? expiresAt : null

/** When the ban and the mute of a player end. */
const listSanctionEnds = (player: PlayerSummary | null): ExpiryTimes => [
  player?.ban?.expiresAt,
  player?.mute?.expiresAt,
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
  pagesQuery(
    moderationKey(workspaceId, 'records', filters),
    (cursor) => fetchRecords({ workspaceId, ...filters, ...cursor }),
    { listExpiryTimes: ({ records }) => records.map(getExpiryTime) },
  )

export const useRecords = (
  workspaceId: string,
  filters: RecordFilters,
  enabled: boolean,
): Pages<RecordPage> => useInfiniteQuery({ ...recordsQuery(workspaceId, filters), enabled })

/** A player, and what staff know about them. */
export interface PlayerFacts {
  /** Null if there are no records of the player. */
  readonly player: PlayerSummary | null
  readonly pinnedNotes: readonly PinnedNote[]
  /** Newest first. */
  readonly links: readonly PlayerLink[]
  /** The players at the other end of the links, but for those who have no records and no sanction. */
  readonly linkedPlayers: readonly PlayerSummary[]
}

/** A player by id, with pinned notes and links. */
export const playerFactsQuery = (workspaceId: string, userId: string) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'player', userId),
    queryFn: async (): Promise<PlayerFacts> => {
      const query = { workspaceId, userId }
      const found = await unwrap(api.GET('/portal/api/players', { params: { query } }))
      const { players, pinnedNotes = [], links = [], linkedPlayers = [] } = found
      return { player: players[0] ?? null, pinnedNotes, links, linkedPlayers }
    },
    refetchInterval: refetchAtExpiry<PlayerFacts>(({ player, linkedPlayers }) =>
      [player, ...linkedPlayers].flatMap(listSanctionEnds),
    ),
  })

/** One player by id; null if there are no records of them. */
export const playerQuery = (workspaceId: string, userId: string) => ({
  ...playerFactsQuery(workspaceId, userId),
  select: ({ player }: PlayerFacts) => player,
})

/** Players whose id starts with a text, or who have a name with it. */
export const usePlayers = (workspaceId: string, q: string) =>
  usePages(
    moderationKey(workspaceId, 'players', q),
    (cursor, { signal }) =>
      unwrap(api.GET('/portal/api/players', { params: { query: { workspaceId, q, ...cursor } }, signal })),
    { keepsPrevious: true, listExpiryTimes: ({ players }) => players.flatMap(listSanctionEnds) },
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
  /** The request for its approval; null if it never needed one. */
  readonly approval: Schemas['Approval'] | null
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
        if (cursor === null) return { record: page.record, approval: page.approval ?? null, versions }
      }
    },
    refetchInterval: refetchAtExpiry<RecordHistory>(({ record }) => [getExpiryTime(record)]),
  })

export { type ActorNames, actorNamesQuery, useActorNames } from '../../components/actor-names.ts'
