import { isWebhookEvent, type WebhookEvent, webhookEventTypes, wire } from '@reeve/core'

/** Excludes characters that `URL` silently drops or replaces. */
const WEB_URL = /^https?:\/\/[^\s\\\p{Cc}]+$/iu

/** The URL of a receiver. */
export const webhookUrl: wire.Codec<string> = {
  read(raw) {
    const value = raw.trim()
    const matchesPattern = value.length <= wire.MAX_URL_LENGTH && WEB_URL.test(value) && value.isWellFormed()
    const url = matchesPattern && URL.canParse(value) ? new URL(value) : null
    if (!url || url.username || url.password || url.href.length > wire.MAX_URL_LENGTH)
      throw new wire.WireError(
        `must be an https URL without credentials or spaces, at most ${wire.MAX_URL_LENGTH} characters`,
      )
    url.hash = ''
    return url.href
  },
  write: (value) => value,
  description: `https URL, at most ${wire.MAX_URL_LENGTH} characters; that of a Discord webhook makes the target a channel`,
  example: 'https://example.com/hooks/reeve',
}

function toEvents(names: readonly string[]): readonly WebhookEvent[] {
  const given = names.map((name) => name.trim()).filter((name) => name !== '')
  const unknown = given.filter((name) => !isWebhookEvent(name)).map((name) => name.slice(0, 64))
  if (unknown.length > 0) throw new wire.WireError(`names unknown events: ${unknown.slice(0, 20).join(', ')}`)
  if (given.length === 0) throw new wire.WireError('must name at least one event')
  return webhookEventTypes.filter((type) => given.includes(type))
}

/** A set of event types: a JSON array, or comma-separated. Parsed in the order of the catalog. */
export const eventSet: wire.Codec<readonly WebhookEvent[]> = {
  read: (raw) => toEvents(raw.trimStart().startsWith('[') ? parseArray(raw) : raw.split(',')),
  readList: toEvents,
  write: (events) => JSON.stringify(events),
  description: 'JSON array of event types, as a string or as an array, or comma-separated event types',
  example: '["ban.created","ban.ended"]',
}

function parseArray(raw: string): string[] {
  const names = wire.parseTextArray(raw)
  if (names === null)
    throw new wire.WireError('must be a JSON array of event types, or comma-separated event types')
  return names
}
