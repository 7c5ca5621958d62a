import { wire } from '@reeve/core'
import { api, unwrap } from '../../../api/client.ts'

/** Whether a text is a valid player id. */
export function isPlayerId(text: string): boolean {
  try {
    return wire.platformId.read(text) === text
  } catch {
    return false
  }
}

/**
 * Finds the one player with this id, or with this exact name if no other player matches.
 * @returns the player's id; null if the search is ambiguous or finds nothing
 */
export async function findExactPlayer(workspaceId: string, text: string): Promise<string | null> {
  const query = { workspaceId, q: text, limit: '2' }
  const { players } = await unwrap(api.GET('/portal/api/players', { params: { query } })).catch(() => ({
    players: [],
  }))
  const [first] = players
  if (first?.userId === text) return text
  const name = first?.userUsername?.toLocaleLowerCase()
  return players.length === 1 && name === text.toLocaleLowerCase() ? (first?.userId ?? null) : null
}

/** Parses comma-separated ids; null if one of them is invalid. */
export function parsePlayerIds(text: string): readonly string[] | null {
  try {
    return wire.platformIds.read(text)
  } catch {
    return null
  }
}
