import { fail } from '../wire-codec.ts'
import { findPlatformRules, isRegularSpelling } from './id-rules.ts'
import type { Platforms, PlayerIdentity } from './platforms.ts'

const MAX_BARE_LENGTH = 64
const MAX_LENGTH = 128

const BARE_ID = /^[A-Za-z0-9_.:-]{1,64}$/
const QUALIFIED_ID = /^[a-z][a-z0-9-]{0,31}:[A-Za-z0-9_.:-]+$/
const PLATFORM_NAME = /^[a-z][a-z0-9-]{0,31}$/

export const isPlatformName = (text: string): boolean => PLATFORM_NAME.test(text)

const findKnownName = (id: string): string | null => {
  const name = id.slice(0, Math.max(0, id.indexOf(':'))).toLowerCase()
  return findPlatformRules(name) ? name : null
}

const findName = (id: string): string | null => {
  const name = id.slice(0, Math.max(0, id.indexOf(':')))
  return isPlatformName(name) ? name : null
}

/**
 * Parses the id of a player: `<platform>:<id>`, which gets the one form that the platform has, or an id without a platform, which stays
 * as it is written. A platform that is not known has ids that stay as they are written too.
 * @throws WireError
 */
export function parsePlayerId(text: string): string {
  const name = text.includes(':') ? findKnownName(text) : null
  if (name !== null) return parseKnownId(name, text.slice(name.length + 1))
  // The only common way to write an id that has a character which other ids have not.
  if (/^\[U:1:\d{1,10}\]$/i.test(text)) return parseKnownId('steam', text)
  if (BARE_ID.test(text) || (text.length <= MAX_LENGTH && QUALIFIED_ID.test(text))) return text
  return fail(
    'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -, or a platform and an id such as steam:76561197960287930',
  )
}

function parseKnownId(platform: string, id: string): string {
  const rules = findPlatformRules(platform)
  // A server of FiveM also names the accounts that a player has on other platforms.
  if (platform === 'fivem' && /^(steam|discord):/i.test(id)) return parsePlayerId(id)
  // FiveM itself writes `fivem:99887`, and so do responses where it is the default. Without `fivem:`, a number is no id of FiveM.
  const normalized = rules?.normalize(id) ?? (platform === 'fivem' ? rules?.normalize(`fivem:${id}`) : null)
  return normalized === null || normalized === undefined
    ? fail(`must have ${rules?.description} after ${platform}:`)
    : `${platform}:${normalized}`
}

/** The form that an id without a platform has on a platform; null if it is no id of that platform. */
function normalizeBare(platform: string, id: string): string | null {
  const rules = findPlatformRules(platform)
  if (!rules) return id.includes(':') ? null : id
  // `0261` was never the same as `261` without a platform.
  if (platform === 'roblox' && id.startsWith('0')) return null
  return isRegularSpelling(id) ? rules.normalize(id) : null
}

/** The platform that an id without a platform is an id of. */
const findBarePlatform = (id: string, platforms: Platforms): string | null =>
  platforms.find((platform) => normalizeBare(platform, id) !== null) ?? null

/**
 * The form under which a player is stored. The ids of the default platform are stored without its name, so that what is stored does not
 * depend on whether a request names it; those of other platforms are stored with its name. Every id has one form, also after a change of
 * the default; `listPlayerKeys` returns the forms that the same player had before.
 * @param id as `parsePlayerId` returns it
 */
export function resolvePlayerId(id: string, platforms: Platforms): string {
  if (platforms.length === 1 && platforms[0] === 'roblox' && !id.startsWith('roblox:')) return id
  const name = findName(id)
  if (name !== null && platforms.includes(name)) {
    const bare = id.slice(name.length + 1)
    return canBeBare(bare, name, platforms) ? bare : id
  }
  const platform = findBarePlatform(id, platforms)
  return platform === null ? id : (normalizeBare(platform, id) ?? id)
}

/** The forms under which several players are stored. Each player is in the result once. */
export function resolvePlayerIds(ids: readonly string[], platforms: Platforms): readonly string[] {
  const resolved = ids.map((id) => resolvePlayerId(id, platforms))
  return resolved.every((id, index) => id === ids[index]) ? ids : [...new Set(resolved)]
}

/** Whether an id without its platform would be read as the same player again. */
const canBeBare = (id: string, platform: string, platforms: Platforms): boolean =>
  id.length <= MAX_BARE_LENGTH &&
  findBarePlatform(id, platforms) === platform &&
  normalizeBare(platform, id) === id

/**
 * Every form under which a player can be stored: that of `resolvePlayerId` first, then those that ids of the same player got while the
 * workspace had another default. A sanction under any of them is one of this player, so that no change of the default ends a sanction.
 * One form unless the default has changed.
 * @param id as `resolvePlayerId` returns it
 */
export function listPlayerKeys(id: string, platforms: Platforms): readonly string[] {
  if (platforms.length === 1) return [id]
  const keys = new Set([id])
  const name = findName(id)
  for (const platform of platforms) {
    // `fivem:99887` is an id without a platform although it begins with the name of one.
    const isQualified = name === platform && normalizeBare(platform, id) === null
    const bare = isQualified ? id.slice(platform.length + 1) : id
    const normalized = normalizeBare(platform, bare)
    if (normalized === null) continue
    const spellings = findPlatformRules(platform)?.listSpellings(normalized) ?? []
    for (const key of [bare, normalized, `${platform}:${normalized}`, ...spellings]) keys.add(key)
  }
  return [...keys]
}

/** The platforms whose ids are recognized without the name of the platform. Any number could be one of Roblox. */
const SEARCHED_PLATFORMS = ['steam', 'minecraft', 'discord', 'fivem']

/** The stored forms of the players whose id a person may have entered as a search, on any platform and in any form. */
export function listSearchedPlayers(text: string, platforms: Platforms): readonly string[] {
  const candidates = SEARCHED_PLATFORMS.flatMap((platform) => {
    const id = findPlatformRules(platform)?.normalize(text) ?? null
    return id === null ? [] : [`${platform}:${id}`]
  })
  try {
    candidates.push(parsePlayerId(text))
  } catch {
    // Not the id of a player, but perhaps a name or the beginning of an id.
  }
  return listKeysOfPlayers(resolvePlayerIds(candidates, platforms), platforms)
}

/** All stored forms of several players: `listPlayerKeys` of each. */
export const listKeysOfPlayers = (ids: readonly string[], platforms: Platforms): readonly string[] =>
  platforms.length === 1 ? ids : [...new Set(ids.flatMap((id) => listPlayerKeys(id, platforms)))]

/** The player that a stored form stands for. An id that fits no platform is one of the default. */
export function identifyPlayer(key: string, platforms: Platforms): PlayerIdentity {
  const platform = findBarePlatform(key, platforms)
  if (platform !== null) return { platform, id: key }
  const name = findName(key)
  return name === null
    ? { platform: platforms[0], id: key }
    : { platform: name, id: key.slice(name.length + 1) }
}
