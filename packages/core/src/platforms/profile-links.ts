import { formatProfileUrl } from '../profile-url.ts'
import type { Platforms, PlayerIdentity } from './platforms.ts'

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
