import type { RecordAction } from '@reeve/core'
import { readCsv } from './csv.ts'
import {
  emptyRecord,
  type ForeignRecord,
  type ParsedItem,
  type ParseFile,
  toItem,
  UnreadableEntry,
} from './format.ts'
import { readSql } from './sql.ts'
import {
  type Fields,
  requireText,
  shorten,
  toBoolean,
  toEpoch,
  toPlayerId,
  toText,
  toTime,
} from './values.ts'

/** LiteBans: an SQL dump of its tables, or one of them as CSV, whose file name says which. Times are in milliseconds. */

const TABLES: readonly (readonly [name: string, action: RecordAction])[] = [
  ['bans', 'ban'],
  ['mutes', 'mute'],
  ['warnings', 'warn'],
  ['kicks', 'kick'],
]

/** Tables can have another prefix. */
const findTable = (name: string) => TABLES.find(([table]) => name === table || name.endsWith(`_${table}`))

export const parseLiteBans: ParseFile = async function* (text, { fileName }) {
  if (/\.(?:csv|tsv|txt)$/i.test(fileName)) return yield* parseTable(text, fileName)
  for await (const item of readSql(text)) {
    if ('problem' in item) yield item
    else {
      // The name of the tool contains that of the first table.
      const table = findTable(item.table)
      if (table) yield toItem(item.line, () => convert(table, item.row))
    }
  }
}

async function* parseTable(text: AsyncIterable<string>, fileName: string): AsyncGenerator<ParsedItem> {
  const table =
    TABLES.findLast(([name]) => fileName.toLowerCase().includes(name)) ?? (['bans', 'ban'] as const)
  for await (const item of readCsv(text)) {
    if ('problem' in item) yield item
    else yield toItem(item.line, () => convert(table, lowerNames(item.cells)))
  }
}

const lowerNames = (cells: Fields): Fields =>
  Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [name.toLowerCase(), value === 'NULL' ? null : value]),
  )

function convert([table, action]: readonly [string, RecordAction], row: Fields): ForeignRecord {
  const isSanction = action === 'ban' || action === 'mute'
  const isWildcard = toBoolean(row.ipban_wildcard)
  if (row.uuid === undefined)
    throw new UnreadableEntry('the column uuid is missing: is this file of LiteBans?')
  const uuid = toText(row.uuid)
  if (uuid === null || uuid === '#offline#')
    throw new UnreadableEntry(
      `it is about the IP address ${isWildcard ? 'range' : ''}only, not about a player`.replace('  ', ' '),
    )
  const occurredAt = toEpoch(row, 'time', 1)
  const until = isSanction ? Number(toText(row.until) ?? '0') : 0
  if (!Number.isFinite(until)) throw new UnreadableEntry(`until is not a time: ${shorten(String(row.until))}`)
  const isActive = row.active === undefined || toBoolean(row.active)
  // LiteBans deactivates a sanction that has expired, too, without saying who did it.
  const remover = toText(row.removed_by_name)
  const hasNoRemover = remover === null || remover === '#expired'
  return {
    ...emptyRecord,
    sourceId: `${table}:${requireText(row, 'id')}`,
    action,
    userId: toPlayerId('minecraft', row, 'uuid'),
    userUsername: toText(row.name),
    reason: toText(row.reason),
    occurredAt,
    expiresAt: isSanction && until > 0 ? until : null,
    isLifted: isSanction && !isActive && !hasNoRemover,
    isInactive: isSanction && !isActive,
    liftedAt: hasNoRemover || toText(row.removed_by_date) === null ? null : toTime(row, 'removed_by_date'),
    liftedBy: hasNoRemover ? null : remover,
    liftReason: toText(row.removed_by_reason),
    moderator: toText(row.banned_by_name) ?? toText(row.banned_by_uuid),
    ip: toText(row.ip) === '#' ? null : toText(row.ip),
  }
}
