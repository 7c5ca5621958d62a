import { formatProfileUrl, PLAYER_ID_PLACEHOLDER } from '../profile-url.ts'
import type { Platforms, PlayerIdentity } from './platforms.ts'
import { parsePlayerId, resolvePlayerId } from './player-id.ts'

/** Links to the public profile of a player, where the platform has one that an id leads to. */
const PROFILE_URLS: Readonly<Record<string, string>> = {
  roblox: 'https://www.roblox.com/users/{id}/profile',
  steam: 'https://steamcommunity.com/profiles/{id}',
  minecraft: 'https://namemc.com/profile/{id}',
  discord: 'https://discord.com/users/{id}',
}

/** The template of links to profiles on a platform, with `{id}`; null if it has none. */
export const findProfileTemplate = (platform: string): string | null =>
  (Object.hasOwn(PROFILE_URLS, platform) ? PROFILE_URLS[platform] : undefined) ?? null

/**
 * The link to a player's profile: on the default platform by the template of the workspace, on any other by that of the platform.
 * @returns null if there is no template
 */
export function findProfileUrl(
  { platform, id }: PlayerIdentity,
  platforms: Platforms,
  workspaceTemplate: string | null,
): string | null {
  const template = platform === platforms[0] ? workspaceTemplate : findProfileTemplate(platform)
  return template === null ? null : formatProfileUrl(template, id)
}

/**
 * The player to whose profile a link leads, as somebody copies it from a browser: in any language of the website, with whatever follows the id.
 * @returns the id as responses contain it; null for any other text
 */
export function findLinkedPlayer(
  link: string,
  platforms: Platforms,
  workspaceTemplate: string | null,
): string | null {
  if (!/^https?:\/\/\S+$/.test(link)) return null
  for (const [platform, template] of [
    [platforms[0], workspaceTemplate],
    ...Object.entries(PROFILE_URLS),
  ] as const) {
    const id = template === null ? null : readLinkedId(link, template)
    if (id === null) continue
    try {
      return resolvePlayerId(parsePlayerId(`${platform}:${decodeURIComponent(id)}`), platforms)
    } catch {
      // A page of the website whose address only looks like that of a profile.
    }
  }
  return null
}

/** An address without what differs between the forms in which a website has it. */
const simplifyAddress = (address: string): string => address.replace(/^https?:\/\/(www\.|web\.)?/i, '')

/** The language of a page, such as `/de/` or `/pt-br/`. */
const LANGUAGE = /\/[a-z]{2}(-[a-z]{2,4})?\//i

function readLinkedId(link: string, template: string): string | null {
  const [before = ''] = simplifyAddress(template).split(PLAYER_ID_PLACEHOLDER)
  const address = simplifyAddress(link)
  const found = [address, address.replace(LANGUAGE, '/')].find((form) => form.startsWith(before))
  return found?.slice(before.length).match(/^[^/?#&]+/)?.[0] ?? null
}

/** Names of platforms as people write them. */
const LABELS: Readonly<Record<string, string>> = {
  roblox: 'Roblox',
  steam: 'Steam',
  minecraft: 'Minecraft',
  discord: 'Discord',
  fivem: 'FiveM',
}

export const formatPlatform = (platform: string): string =>
  (Object.hasOwn(LABELS, platform) ? LABELS[platform] : undefined) ?? platform
