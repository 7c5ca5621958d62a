import type { Platforms } from '../generated/core/platforms/platforms.ts'
import { listPlayerKeys, parsePlayerId, resolvePlayerId } from '../generated/core/platforms/player-id.ts'
import { WireError } from '../generated/core/wire-codec.ts'
import { toPlayerId, type UserId } from '../input.ts'

export type { Platforms }

/**
 * Every ID under which the server may have stored a player, whatever form the ID is written in: the current one first.
 * @param platforms those of the workspace, as the feed contains them
 * @throws TypeError for an ID that its platform cannot have, which the server would reject
 */
export function listStoredIds(userId: UserId, platforms: Platforms): readonly string[] {
  const text = toPlayerId('userId', userId)
  try {
    return listPlayerKeys(resolvePlayerId(parsePlayerId(text), platforms), platforms)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new TypeError(`userId: ${error.message}.`, { cause: error })
  }
}
