/** The parts of the URL of a Discord webhook. Source: https://discord.com/developers/docs/resources/webhook */
const DISCORD_PATH = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{15,22})\/([\w-]{20,200})\/?$/
const DISCORD_HOSTS: ReadonlySet<string> = new Set([
  'discord.com',
  'discordapp.com',
  'ptb.discord.com',
  'canary.discord.com',
])

/** Whether a URL belongs to Discord, whatever its path. */
export const isDiscordHost = (url: string): boolean => DISCORD_HOSTS.has(new URL(url).hostname)

/** The URL to call, which is a secret, and the one to show, without its token; null if the URL is not that of a Discord webhook. */
export function parseDiscordUrl(url: string): { readonly secret: string; readonly maskedUrl: string } | null {
  const { hostname, pathname, search, searchParams, protocol } = new URL(url)
  const [, id, token] = DISCORD_PATH.exec(pathname) ?? []
  if (!DISCORD_HOSTS.has(hostname) || protocol !== 'https:' || id === undefined) return null
  const thread = searchParams.get('thread_id')
  if (search !== '' && (thread === null || searchParams.size > 1 || !/^\d{15,22}$/.test(thread))) return null
  const query = thread === null ? '' : `?thread_id=${thread}`
  return {
    secret: `https://discord.com/api/v10/webhooks/${id}/${token}${query}`,
    maskedUrl: `https://discord.com/api/webhooks/${id}/…${query}`,
  }
}
