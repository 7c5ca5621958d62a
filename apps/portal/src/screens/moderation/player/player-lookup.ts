import { wire } from '@reeve/core'
import { api, unwrap } from '../../../api/client.ts'

/** Whether a text can be the id of a player. */
export function isPlayerId(text: string): boolean {
  try {
    return wire.platformId.read(text) === text
  } catch {
    return false
  }
}

/**
 * The player that a text means beyond doubt: whose id it is, or the only one it is the name of. Null where somebody has
 * to look and choose.
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

/** The ids in a text, separated by commas; null where one of them can be none. */
export function parsePlayerIds(text: string): readonly string[] | null {
  try {
    return wire.platformIds.read(text)
  } catch {
    return null
  }
}
