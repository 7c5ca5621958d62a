import { api, unwrap } from '../../api/client.ts'

const PLAYER_LIMIT = '5'

/** Finds everything but players by name. */
export const searchWorkspace = (workspaceId: string, q: string, signal: AbortSignal) =>
  unwrap(api.GET('/portal/api/search', { params: { query: { workspaceId, q } }, signal }))

/** Finds players by ID or name. */
export const searchPlayers = (workspaceId: string, q: string, signal: AbortSignal) =>
  unwrap(
    api.GET('/portal/api/players', { params: { query: { workspaceId, q, limit: PLAYER_LIMIT } }, signal }),
  )

export type FoundInWorkspace = Awaited<ReturnType<typeof searchWorkspace>>
export type FoundPlayers = Awaited<ReturnType<typeof searchPlayers>>
