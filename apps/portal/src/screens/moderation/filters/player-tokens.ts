import { useQueries } from '@tanstack/react-query'
import type { Token } from '../../../components/token-field.tsx'
import { formatPlayerName } from '../../../format/player-name.ts'
import { playerQuery } from '../queries.ts'

/** The names of further players are not looked up. */
const MAX_NAMED_PLAYERS = 20

export interface NamedPlayer extends Token {
  readonly userId: string
  /** `Robin (261)` */
  readonly name: string
  /** Whether the workspace has a case of this player; undefined until that is known. */
  readonly isKnown: boolean | undefined
}

/** Looks up the names of players. @param isEnabled false if the user may not see them */
export function useNamedPlayers(
  workspaceId: string,
  userIds: readonly string[],
  isEnabled = true,
): readonly NamedPlayer[] {
  const results = useQueries({
    queries: userIds
      .slice(0, MAX_NAMED_PLAYERS)
      .map((userId) => ({ ...playerQuery(workspaceId, userId), enabled: isEnabled })),
  })
  return userIds.map((userId, index) => {
    const player = results[index]?.data
    const name = player ? formatPlayerName(player) : userId
    return {
      key: `player:${userId}`,
      userId,
      name,
      label: player === null ? `Player ${name} · no cases` : `Player ${name}`,
      isKnown: player === undefined ? undefined : player !== null,
    }
  })
}
