import {
  findLinkedPlayer,
  listSearchedPlayers,
  normalizeName,
  type Platforms,
  toSearchText,
  wire,
} from '@reeve/core'
import { api, unwrap } from '../../../api/client.ts'
import type { Workspace } from '../../../api/me.ts'

/** Whether a text is a valid player id. */
export function isPlayerId(text: string): boolean {
  try {
    wire.playerId.read(text)
    return true
  } catch {
    return false
  }
}

/** Digits, as most platforms have; a UUID; digits after the name of a platform, such as `steam:261`; a SteamID. */
const COMPLETE_ID =
  /^(\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\[U:1:\d+\]|[\w.-]+:[\w.:-]*\d[\w.:-]*)$/i

/**
 * Whether a text has the form of a complete id, so that it can open a player whom Reeve does not know yet. A word, with or
 * without digits, is a name: an id in the form of a word is found only if the player has cases.
 */
export const isCompletePlayerId = (text: string): boolean => isPlayerId(text) && COMPLETE_ID.test(text)

/** The names of a player for a search result: the one that the search found comes first, if it is not the newest name. */
export function listOtherNames(player: {
  readonly userUsername: string | null
  readonly otherNames: readonly string[]
  readonly matchedName: string | null
}): readonly string[] {
  const { userUsername, otherNames, matchedName } = player
  if (matchedName === null || toSearchText(matchedName) === toSearchText(userUsername ?? ''))
    return otherNames
  return [matchedName, ...otherNames.filter((name) => normalizeName(name) !== normalizeName(matchedName))]
}

/** What a search contains after somebody has entered a text: a pasted link to a profile becomes the ID at once, so that everybody sees who is meant. */
export const replaceProfileLink = (
  text: string,
  { platforms, profileUrl }: Pick<Workspace, 'platforms' | 'profileUrl'>,
): string => findLinkedPlayer(text.trim(), platforms, profileUrl) ?? text

/** Whether a text is the id of a player, in any form. @param userId the id as responses contain it */
export const isSamePlayer = (userId: string, text: string, platforms: Platforms): boolean =>
  userId === text || listSearchedPlayers(text, platforms).includes(userId)

/**
 * Finds the one player with this id, or with this exact name if no other player matches.
 * @param platforms those of the workspace: the id may have any form
 * @returns the player's id; null if the search is ambiguous or finds nothing
 */
export async function findExactPlayer(
  workspaceId: string,
  text: string,
  platforms: Platforms,
): Promise<string | null> {
  const query = { workspaceId, q: text, limit: '2' }
  const { players, nextCursor } = await unwrap(api.GET('/portal/api/players', { params: { query } })).catch(
    () => ({
      players: [],
      nextCursor: null,
    }),
  )
  const [first] = players
  if (first && isSamePlayer(first.userId, text, platforms)) return first.userId
  if (!first || players.length > 1 || nextCursor !== null) return null
  return toSearchText(first.userUsername ?? '') === toSearchText(text) ? first.userId : null
}
