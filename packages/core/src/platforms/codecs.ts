import { type Codec, fail, WireError } from '../wire-codec.ts'
import { isPlatformName, parsePlayerId, resolvePlayerId, resolvePlayerIds } from './player-id.ts'

/** The id of a player on a game platform. */
export const playerId: Codec<string> = {
  read: parsePlayerId,
  write: (id) => id,
  resolve: resolvePlayerId,
  description:
    'Id of a player: on the default platform of the workspace 1 to 64 characters of `A-Za-z0-9_.:-`, on others `<platform>:<id>`, at most 128 characters',
  example: '261',
}

/** Maximum number of players in one ban check. */
export const MAX_PLAYERS = 200

/** How much of an invalid id an error quotes: as long as the longest valid one. */
const MAX_QUOTED = 128

/** @throws WireError that names the id */
function readListed(id: string): string {
  try {
    return playerId.read(id)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return fail(`must not have ${JSON.stringify(id.slice(0, MAX_QUOTED))}: an id ${error.message}`)
  }
}

/** Ids of players, separated by commas. @param max the maximum number of them */
export const playerIdList = (max: number): Codec<readonly string[]> => ({
  read(text) {
    if (text.trim() === '') fail('must name at least one player')
    if (!text.includes(',')) return [playerId.read(text.trim())]
    const ids = text.split(',').map((id) => id.trim())
    if (ids.length > max) fail(`must list at most ${max} players`)
    return [...new Set(ids.map(readListed))]
  },
  write: (ids) => ids.join(','),
  resolve: resolvePlayerIds,
  description: `Up to ${max} ids of players, separated by commas; each as for one player`,
  example: '261,156',
})

export const playerIds = playerIdList(MAX_PLAYERS)

/** The name of a platform. */
export const platformName: Codec<string> = {
  read(text) {
    const name = text.trim().toLowerCase()
    return isPlatformName(name)
      ? name
      : fail('must be the name of a platform: a letter, then at most 31 letters, digits and hyphens')
  },
  write: (name) => name,
  description:
    'Name of a platform: a letter, then at most 31 letters, digits and hyphens. `roblox`, `steam`, `minecraft`, `discord` and `fivem` are known',
  example: 'roblox',
}
