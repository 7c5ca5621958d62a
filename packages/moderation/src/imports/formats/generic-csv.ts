import { isRecordAction, isSanctionKind, type RecordAction, severities } from '@reeve/core'
import { readCsv } from './csv.ts'
import {
  emptyRecord,
  type ForeignRecord,
  type ParseFile,
  type ParseOptions,
  toItem,
  UnreadableEntry,
} from './format.ts'
import { type Fields, requireText, shorten, toBoolean, toText, toTime } from './values.ts'

/** The fields that a column of a CSV file can contain, with the usual headers of such columns. */
export const csvFields = {
  userId: ['userid', 'user_id', 'playerid', 'player_id', 'uuid', 'steamid', 'id'],
  userUsername: ['userusername', 'username', 'user_name', 'playername', 'player_name', 'player', 'name'],
  action: ['action', 'type', 'kind'],
  reason: ['reason', 'message'],
  severity: ['severity'],
  occurredAt: ['occurredat', 'createdat', 'created_at', 'created', 'date', 'time', 'timestamp'],
  expiresAt: ['expiresat', 'expires_at', 'expires', 'until', 'end', 'ends'],
  durationSeconds: ['durationseconds', 'duration_seconds', 'duration', 'length'],
  liftedAt: ['liftedat', 'revokedat', 'revoked_at', 'unbannedat', 'unbanned_at'],
  liftedBy: ['liftedby', 'revokedbyusername', 'unbannedby', 'unbanned_by'],
  active: ['active', 'isactive', 'is_active'],
  moderator: ['moderator', 'actorusername', 'staff', 'admin', 'bannedby', 'banned_by', 'author'],
  evidence: ['evidence', 'proof'],
  ip: ['ip', 'ipaddress', 'ip_address'],
  sourceId: ['sourceid', 'source_id', 'caseid', 'case_id', 'banid', 'ban_id'],
} as const satisfies Record<string, readonly string[]>

export type CsvField = keyof typeof csvFields

const fieldNames = Object.keys(csvFields) as readonly CsvField[]

/** A CSV file with any columns. */
export const parseGenericCsv: ParseFile = async function* (text, options) {
  let headers: Readonly<Partial<Record<CsvField, string>>> | null = null
  for await (const item of readCsv(text)) {
    if ('problem' in item) yield item
    else {
      headers ??= findHeaders(Object.keys(item.cells), options.columns)
      const found = headers
      yield toItem(item.line, () => convert(pickFields(item.cells, found), options))
    }
  }
}

/** The header of the column of each field. */
function findHeaders(
  names: readonly string[],
  columns: ParseOptions['columns'],
): Readonly<Partial<Record<CsvField, string>>> {
  if (columns !== null) return columns
  const found: Partial<Record<CsvField, string>> = {}
  const used = new Set<string>()
  for (const field of fieldNames)
    for (const usual of csvFields[field]) {
      const name = names.find((candidate) => candidate.toLowerCase() === usual && !used.has(candidate))
      if (name === undefined || found[field] !== undefined) continue
      found[field] = name
      used.add(name)
    }
  return found
}

function pickFields(cells: Fields, headers: Readonly<Partial<Record<CsvField, string>>>): Fields {
  return Object.fromEntries(
    fieldNames.flatMap((field) => {
      const header = headers[field]
      return header === undefined ? [] : [[field, cells[header]]]
    }),
  )
}

const SYNONYMS: Readonly<Record<string, RecordAction>> = {
  warning: 'warn',
  temp_ban: 'ban',
  tempban: 'ban',
  perm_ban: 'ban',
  permban: 'ban',
  tempmute: 'mute',
  gag: 'mute',
  timeout: 'mute',
}
const NEVER: ReadonlySet<string> = new Set([
  'never',
  'forever',
  'permanent',
  'perm',
  '0',
  '-1',
  'null',
  'none',
])

/** `\u0000` is how a database writes a bit. */
const INACTIVE: ReadonlySet<string> = new Set(['0', '\u0000', 'f', 'false', 'no', 'n', 'inactive'])

const isNever = (text: string): boolean => NEVER.has(text.toLowerCase())

function readAction(value: unknown, fallback: RecordAction): RecordAction {
  const text = toText(value)?.toLowerCase()
  if (text === undefined) return fallback
  const action = SYNONYMS[text] ?? text
  if (!isRecordAction(action)) throw new UnreadableEntry(`action ${shorten(text)} is not an action of Reeve`)
  return action
}

function readExpiry(fields: Fields, occurredAt: number): number | null {
  const expires = toText(fields.expiresAt)
  if (expires !== null) return isNever(expires) ? null : toTime(fields, 'expiresAt')
  const duration = toText(fields.durationSeconds)
  if (duration === null || isNever(duration)) return null
  if (!/^\d{1,12}$/.test(duration))
    throw new UnreadableEntry(`durationSeconds is not a number of seconds: ${shorten(duration)}`)
  return occurredAt + Number(duration) * 1000
}

function readLift(fields: Fields): number | null {
  const lifted = toText(fields.liftedAt)
  return lifted === null || isNever(lifted) ? null : toTime(fields, 'liftedAt')
}

/** A file that does not say it has active sanctions. */
function readActive(value: unknown): boolean {
  const text = toText(value)?.toLowerCase()
  if (text === undefined || text === 'active' || toBoolean(text)) return true
  if (INACTIVE.has(text)) return false
  throw new UnreadableEntry(`active ${shorten(text)} is neither yes nor no`)
}

function convert(fields: Fields, options: ParseOptions): ForeignRecord {
  const userId = requireText(fields, 'userId')
  const action = readAction(fields.action, options.action)
  const occurredAt = toTime(fields, 'occurredAt')
  const severity = toText(fields.severity)?.toLowerCase() ?? null
  const known = severities.find((candidate) => candidate === severity) ?? null
  if (severity !== null && known === null)
    throw new UnreadableEntry(`severity ${shorten(severity)} is not one of ${severities.join(', ')}`)
  const liftedAt = readLift(fields)
  const evidence = toText(fields.evidence)
  const reason = toText(fields.reason)
  const expiresAt = isSanctionKind(action) ? readExpiry(fields, occurredAt) : null
  const moderator = toText(fields.moderator)
  const sourceId = toText(fields.sourceId)
  return {
    ...emptyRecord,
    sourceId: sourceId ?? `${action}:${userId}@${occurredAt}`,
    // Without what can change in a newer file: the name of the player, and whether it was lifted.
    content: sourceId === null ? JSON.stringify([severity, reason, expiresAt, moderator, evidence]) : null,
    action,
    userId,
    userUsername: toText(fields.userUsername),
    reason,
    severity: known,
    occurredAt,
    expiresAt,
    isLifted: liftedAt !== null,
    isInactive: !readActive(fields.active),
    liftedAt,
    liftedBy: toText(fields.liftedBy),
    moderator,
    evidence: evidence === null ? [] : evidence.split(/\s*\n\s*/),
    ip: toText(fields.ip),
  }
}
