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
