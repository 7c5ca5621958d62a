/**
 * The platforms that ids without a platform mean in a workspace, or meant before its default changed: the current one first.
 */
export type Platforms = readonly [string, ...string[]]

export const DEFAULT_PLATFORMS: Platforms = ['roblox']

/** A player on a platform. */
export interface PlayerIdentity {
  readonly platform: string
  readonly id: string
}

/** The platforms after a change of the default. The earlier ones stay, because ids were stored under them. */
export const changeDefaultPlatform = (platforms: Platforms, name: string): Platforms => [
  name,
  ...platforms.filter((platform) => platform !== name),
]

/** The platforms of a workspace as they are stored: a JSON array; null for `DEFAULT_PLATFORMS`. */
export const parsePlatforms = (stored: string | null): Platforms =>
  stored === null ? DEFAULT_PLATFORMS : JSON.parse(stored)
