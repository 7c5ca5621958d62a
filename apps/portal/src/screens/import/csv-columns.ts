import { detectEncoding } from '@reeve/core'

/** The fields that a column can contain. */
export const columnFields = [
  { field: 'userId', label: 'Player ID', isRequired: true },
  { field: 'occurredAt', label: 'Time', isRequired: true },
  { field: 'action', label: 'Action', isRequired: false },
  { field: 'reason', label: 'Reason', isRequired: false },
  { field: 'userUsername', label: 'Player name', isRequired: false },
  { field: 'expiresAt', label: 'Expires', isRequired: false },
  { field: 'durationSeconds', label: 'Duration in seconds', isRequired: false },
  { field: 'moderator', label: 'Moderator', isRequired: false },
  { field: 'liftedAt', label: 'Lifted', isRequired: false },
  { field: 'liftedBy', label: 'Lifted by', isRequired: false },
  { field: 'active', label: 'Active', isRequired: false },
  { field: 'severity', label: 'Severity', isRequired: false },
  { field: 'evidence', label: 'Evidence', isRequired: false },
  { field: 'sourceId', label: 'ID of the entry', isRequired: false },
] as const

/** How much of a file is read to find its header. */
const HEADER_BYTES = 64 * 1024

/** The headers of a CSV file. */
export async function readHeaders(file: File): Promise<readonly string[]> {
  const bytes = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer())
  const text = new TextDecoder(detectEncoding(bytes)).decode(bytes)
  const [line = ''] = text.split(/\r?\n/, 1)
  const separators = [',', ';', '\t']
  const separator = separators.reduce((best, candidate) =>
    line.split(candidate).length > line.split(best).length ? candidate : best,
  )
  const headers = line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
  return headers.filter((header) => header !== '')
}

const simplify = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Usual headers besides the name of the field, simplified. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  userId: ['playerid', 'uuid', 'steamid'],
  occurredAt: ['created', 'createdat', 'date', 'time', 'timestamp'],
  userUsername: ['name', 'player', 'playername', 'username'],
  expiresAt: ['expires', 'until', 'end', 'ends'],
  durationSeconds: ['duration', 'length'],
  moderator: ['staff', 'admin', 'bannedby', 'author', 'actorusername'],
  action: ['type', 'kind'],
  liftedAt: ['revokedat', 'unbannedat'],
  liftedBy: ['revokedbyusername', 'unbannedby'],
  sourceId: ['caseid', 'banid'],
}

/** Finds the column of each field by its header. */
export function guessColumns(headers: readonly string[]): Readonly<Record<string, string>> {
  const guessed: Record<string, string> = {}
  for (const { field } of columnFields) {
    const names = [simplify(field), ...(USUAL[field] ?? [])]
    const header = headers.find(
      (candidate) => names.includes(simplify(candidate)) && !Object.values(guessed).includes(candidate),
    )
    if (header !== undefined) guessed[field] = header
  }
  return guessed
}
