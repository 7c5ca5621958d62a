import type { ParseFile } from './format.ts'
import { parseGenericCsv } from './generic-csv.ts'
import { parseLiteBans } from './litebans.ts'
import { parseMinecraft } from './minecraft.ts'
import { parseReeve } from './reeve.ts'
import { parseRoblox } from './roblox.ts'
import { parseSourceBans } from './sourcebans.ts'
import { parseTxAdmin } from './txadmin.ts'
import { parseZeppelin } from './zeppelin.ts'

/** The parser of each format. */
export const parsers = {
  litebans: parseLiteBans,
  sourcebans: parseSourceBans,
  minecraft: parseMinecraft,
  txadmin: parseTxAdmin,
  roblox: parseRoblox,
  zeppelin: parseZeppelin,
  reeve: parseReeve,
  csv: parseGenericCsv,
} as const satisfies Record<string, ParseFile>

/** Whether entries of a format can be without an id, so that several can have the same one. */
export const canLackIds = (format: string): boolean => format === ('csv' satisfies keyof typeof parsers)

/** The formats with entries that another one of the player has replaced. */
const WITH_REPLACED: ReadonlySet<string> = new Set(['roblox', 'reeve'] satisfies (keyof typeof parsers)[])

/** Whether a file of a format lists what was replaced: of the sanctions of a player, one is in force at a time. */
export const listsReplaced = (format: string): boolean => WITH_REPLACED.has(format)
