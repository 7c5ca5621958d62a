import { expect } from 'bun:test'
import type { Instance, TestResponse } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

export const PLAYERS_PATH = '/portal/api/players'

/** A player of a search. */
export interface FoundPlayer {
  readonly userId: string
  readonly userUsername: string | null
  readonly otherNames: readonly string[]
  readonly matchedName: string | null
}

export const listIds = (players: readonly FoundPlayer[]): string[] => players.map(({ userId }) => userId)

/** Searches as the owner of a workspace. */
export const searchPlayers = (
  instance: Instance,
  { id, ownerSession }: Pick<Workspace, 'id' | 'ownerSession'>,
  query: Record<string, string>,
): Promise<TestResponse> =>
  instance.request('GET', `${PLAYERS_PATH}?${new URLSearchParams({ workspaceId: id, ...query })}`, {
    session: ownerSession,
  })

/** Reads every player of a search, page by page. */
export async function readAllPages(
  instance: Instance,
  workspace: Pick<Workspace, 'id' | 'ownerSession'>,
  q: string,
  limit = '2',
): Promise<FoundPlayer[]> {
  const players: FoundPlayer[] = []
  let cursor: string | null = null
  do {
    const query = { q, limit, ...(cursor && { cursor }) }
    const { body, text } = await searchPlayers(instance, workspace, query)
    expect(body.players?.length, text).toBeLessThanOrEqual(Number(limit))
    players.push(...body.players)
    cursor = body.nextCursor
  } while (cursor)
  return players
}

/** The id of a player, and optionally their name. */
export type PlayerNote = readonly [userId: string, name?: string]

/** Adds notes on players. */
export async function addNotes(
  instance: Instance,
  workspace: Workspace,
  ...notes: readonly PlayerNote[]
): Promise<void> {
  const { moderate } = createWorkspaceRequests(instance, workspace)
  for (const [userId, userUsername] of notes) {
    await moderate({ action: 'note', userId, reason: 'Seen', ...(userUsername && { userUsername }) })
  }
}
