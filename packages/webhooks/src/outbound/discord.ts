interface EventBody {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

type Fields = Readonly<Record<string, unknown>>

/** Source: https://discord.com/developers/docs/resources/message, "Embed Limits". */
const MAX_FIELD_LENGTH = 1024
const MAX_TITLE_LENGTH = 256

const RED = 0xd03b3b
const GREEN = 0x2f9e44
const BLUE = 0x3366ff

/** The request that creates a message or edits one. @param url that of the webhook, maybe with `thread_id` */
export function toDiscordRequest(url: string, messageId: string | null, body: string, publicUrl: URL) {
  const target = new URL(url)
  if (messageId === null) target.searchParams.set('wait', 'true')
  else target.pathname += `/messages/${messageId}`
  return {
    method: messageId === null ? ('POST' as const) : ('PATCH' as const),
    url: target.href,
    headers: { 'content-type': 'application/json' },
    body: formatMessage(body, publicUrl),
  }
}

/** A message for Discord, JSON. @param body that of the event @param publicUrl where its link leads */
export const formatMessage = (body: string, publicUrl: URL): string =>
  JSON.stringify({
    embeds: [toEmbed(JSON.parse(body) as EventBody, publicUrl)],
    // Otherwise a reason with @everyone in it would notify everyone.
    allowed_mentions: { parse: [] },
  })

function toEmbed({ type, timestamp, data }: EventBody, publicUrl: URL): object {
  const record = data.record as Fields | undefined
  // An erased record has nothing left to show.
  const embed = record?.action ? toRecordEmbed(type, data, record, publicUrl) : toOtherEmbed(type, data)
  return { ...embed, timestamp, footer: { text: type } }
}

/** The past participles of the actions, for titles. */
const DONE: Readonly<Record<string, string>> = {
  ban: 'Banned',
  mute: 'Muted',
  kick: 'Kicked',
  warn: 'Warned',
  note: 'Note on',
}

/** What the actions are called, before the player, where something happened to them later. */
const NAMED: Readonly<Record<string, string>> = {
  ban: 'Ban of',
  mute: 'Mute of',
  kick: 'Kick of',
  warn: 'Warning of',
  note: 'Note on',
}

function toRecordEmbed(type: string, data: Fields, record: Fields, publicUrl: URL): object {
  const hasEnded = type.endsWith('.ended')
  const action = String(record.action)
  const player = toText(record.userUsername ?? record.userId)
  const status = record.status === 'active' ? 'expired' : toText(record.status)
  const title = type.endsWith('.created')
    ? `${DONE[action]} ${player}`
    : `${NAMED[action]} ${player} ${hasEnded ? status : type.split('.')[1]}`
  const by =
    hasEnded && record.status === 'revoked'
      ? (record.revokedByUsername ?? (data.actor as Fields)?.username)
      : record.actorUsername
  return {
    title: title.slice(0, MAX_TITLE_LENGTH),
    url: new URL(`/w/${data.workspaceId}/moderation/cases/${record.id}`, publicUrl).href,
    color: hasEnded ? GREEN : action === 'ban' ? RED : BLUE,
    fields: [
      toField('Player', `${player} (${toText(record.userId)})`),
      toField('Moderator', toText(by)),
      toField('Reason', toText(record.reason)),
      ...(hasEnded && record.revokeReason
        ? [toField('Reason for lifting', toText(record.revokeReason))]
        : []),
      ...(action === 'ban' || action === 'mute' ? [toField('Until', formatUntil(record))] : []),
      toField('Case', `#${toText(record.caseNumber)}`),
    ],
  }
}

/** Discord shows the time in the zone of each reader. */
const formatUntil = ({ expiresAt }: Fields): string =>
  typeof expiresAt === 'string' ? `<t:${Math.floor(Date.parse(expiresAt) / 1000)}:f>` : 'permanent'

/** Any other event: its name, and that of what it is about. */
function toOtherEmbed(type: string, data: Fields): object {
  const [resource = '', verb = ''] = type.split('.')
  const name = findName(data)
  const title = `${capitalize(resource.replaceAll('_', ' '))} ${verb}`
  return {
    title: title.slice(0, MAX_TITLE_LENGTH),
    color: BLUE,
    ...(name ? { description: escapeMarkdown(String(name)) } : {}),
  }
}

/** The fields that name what an event is about; of an appeal, its player. */
const NAME_FIELDS = ['title', 'name', 'username', 'groupName', 'endpoint', 'userUsername', 'userId'] as const

function findName({ actor: _, ...data }: Fields): unknown {
  const resource = Object.values(data).find((value) => typeof value === 'object' && value !== null) as Fields
  const field = NAME_FIELDS.find((name) => resource?.[name])
  return field && resource[field]
}

const toField = (name: string, value: string) => ({
  name,
  value: escapeMarkdown(value).slice(0, MAX_FIELD_LENGTH) || '–',
  inline: name !== 'Reason' && name !== 'Reason for lifting',
})

const toText = (value: unknown): string => (value === null || value === undefined ? '–' : String(value))
const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Keeps texts from becoming links, headings or formatting. */
const escapeMarkdown = (text: string): string =>
  /^<t:\d+:f>$/.test(text) ? text : text.replace(/[\\`*_~|[\]()>#@-]/g, '\\$&')

/**
 * How long Discord wants to be left alone, in milliseconds; null if it does not.
 * Source: https://discord.com/developers/docs/topics/rate-limits
 */
export function getDiscordPause(status: number, headers: Headers, text: string): number | null {
  if (status === 429) return toMs(readRetryAfter(text) ?? headers.get('retry-after')) ?? 1000
  if (headers.get('x-ratelimit-remaining') !== '0') return null
  return toMs(headers.get('x-ratelimit-reset-after'))
}

function readRetryAfter(text: string): string | null {
  try {
    const value = (JSON.parse(text) as { retry_after?: unknown }).retry_after
    return typeof value === 'number' ? String(value) : null
  } catch {
    return null
  }
}

const toMs = (seconds: string | null): number | null => {
  const value = seconds === null ? Number.NaN : Number(seconds)
  return Number.isFinite(value) && value >= 0 ? Math.ceil(value * 1000) : null
}

/** The ID of the message that a response describes. */
export function readMessageId(text: string): string | null {
  const [, id] = /"id"\s*:\s*"(\d{15,22})"/.exec(text) ?? []
  return id ?? null
}
