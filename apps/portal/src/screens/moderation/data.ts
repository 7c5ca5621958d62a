import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, type Schemas, take } from '../../api/client.ts'
import { noAnswer } from '../../api/error.ts'
import { type Pages, usePages } from '../../api/pages.ts'

/** One moderation record. */
export type Entry = Schemas['Record']
/** A record as it stood before a change. */
export type EntryVersion = Schemas['Version']
/** A player as the workspace's records tell of them. */
export type KnownPlayer = PortalSchemas['Player']
/** The ban or mute that holds a player. */
export type Held = NonNullable<KnownPlayer['ban']>

export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly nextCursor: string | null
}

/** What of a workspace's records is asked for, in the words of the interface. */
export type Asked = Readonly<
  Partial<
    Record<'banList' | 'banHistory' | 'userId' | 'actorUserId' | 'severity' | 'status' | 'limit', string>
  >
>

/** The key of a query; without more, the beginning of the keys of all. */
export const keyOf = (workspaceId: string, ...rest: readonly unknown[]) => [
  workspaceId,
  'moderation',
  ...rest,
]

async function readEntries(query: Asked & { workspaceId: string; cursor?: string }): Promise<EntryPage> {
  const page = await take(api.GET('/api/moderation', { params: { query } }))
  if ('bans' in page) return { entries: page.bans, nextCursor: page.nextCursor }
  if ('history' in page) return { entries: page.history, nextCursor: page.nextCursor }
  if ('records' in page) return { entries: page.records, nextCursor: page.nextCursor }
  throw noAnswer()
}

/** Records, newest first, page by page. */
export const useEntries = (workspaceId: string, asked: Asked): Pages<EntryPage> =>
  usePages(keyOf(workspaceId, 'entries', asked), (cursor) =>
    readEntries({ workspaceId, ...asked, ...cursor }),
  )

/** How long a timer of the browser can run at the most. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
/** What ended is asked for a little later, so that the server has seen it end. */
const AFTER_END_MS = 250

/** When a ban or a mute ends by itself, what is shown of it is read again. */
function untilNextEnd(ends: readonly (string | null | undefined)[]): number | false {
  const now = Date.now()
  const next = ends.flatMap((end) => (end ? [new Date(end).getTime() - now] : [])).filter((left) => left > 0)
  return next.length === 0 ? false : Math.min(Math.min(...next) + AFTER_END_MS, LONGEST_WAIT_MS)
}

/** One player by id; null where there are no records of them. */
export const playerQuery = (workspaceId: string, userId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'player', userId),
    queryFn: async (): Promise<KnownPlayer | null> => {
      const query = { workspaceId, userId }
      return (await take(api.GET('/portal/api/players', { params: { query } }))).players[0] ?? null
    },
    refetchInterval: ({ state: { data } }) => untilNextEnd([data?.ban?.expiresAt, data?.mute?.expiresAt]),
  })

/** Players whose id or name begins so, page by page. */
export const usePlayers = (workspaceId: string, q: string) =>
  usePages(keyOf(workspaceId, 'players', q), (cursor) =>
    take(api.GET('/portal/api/players', { params: { query: { workspaceId, q, ...cursor } } })),
  )

const REASONS = '8'

/** The reasons given lately for an action. */
export const useReasons = (workspaceId: string, action: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'reasons', action),
    queryFn: async () => {
      const query = { workspaceId, action, limit: REASONS }
      return (await take(api.GET('/portal/api/reasons', { params: { query } }))).reasons
    },
  })

export interface WholeCase {
  readonly record: Entry
  /** Oldest first, all of them. */
  readonly versions: readonly EntryVersion[]
}

const MOST = '200'

/** One record with all that it was before. */
export const caseQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'case', id),
    queryFn: async (): Promise<WholeCase> => {
      const versions: EntryVersion[] = []
      let cursor: string | null = null
      for (;;) {
        const query: Record<'workspaceId' | 'id' | 'limit', string> & { cursor?: string } = {
          workspaceId,
          id,
          limit: MOST,
          ...(cursor !== null && { cursor }),
        }
        const page = await take(api.GET('/api/moderation', { params: { query } }))
        if (!('record' in page)) throw noAnswer()
        versions.push(...page.versions)
        cursor = page.nextCursor
        if (cursor === null) return { record: page.record, versions }
      }
    },
    refetchInterval: ({ state: { data } }) => untilNextEnd([data?.record.expiresAt]),
  })

/** Names by the ids of accounts and API keys. */
export type Names = ReadonlyMap<string, string>

const NAMES_FOR_MS = 300_000
const NO_NAMES: Names = new Map()

/** The names of accounts and keys; of whoever recorded something lately, where no ids are given. */
export function useNames(workspaceId: string, ids?: readonly string[]): Names {
  const asked = ids && [...new Set(ids)].sort()
  const { data } = useQuery({
    queryKey: [workspaceId, 'actors', asked ?? 'lately'],
    queryFn: async () => {
      const query = { workspaceId, ...(asked && { ids: asked.join(',') }) }
      const { actors } = await take(api.GET('/portal/api/actors', { params: { query } }))
      return new Map(actors.map(({ id, name }) => [id, name]))
    },
    enabled: asked === undefined || asked.length > 0,
    staleTime: NAMES_FOR_MS,
  })
  return data ?? NO_NAMES
}
