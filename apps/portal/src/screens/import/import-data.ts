import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { pluralize } from '../../format/number.ts'

export type Import = PortalSchemas['Import']

/** The formats, with what people get their file from. */
export const formats = [
  { value: 'litebans', label: 'LiteBans', file: 'An SQL dump of its tables, or one table as CSV' },
  { value: 'sourcebans', label: 'SourceBans++', file: 'An SQL dump of its database' },
  { value: 'minecraft', label: 'Minecraft', file: 'banned-players.json of the server' },
  { value: 'txadmin', label: 'txAdmin', file: 'playersDB.json' },
  { value: 'roblox', label: 'Roblox', file: 'User restrictions of the Open Cloud API as JSON' },
  { value: 'zeppelin', label: 'Zeppelin', file: 'The export of the server from its dashboard' },
  { value: 'reeve', label: 'Reeve', file: 'The export of cases as JSON Lines' },
  { value: 'csv', label: 'CSV', file: 'Any table; you choose its columns' },
] as const

/** The name of a format. */
export const formatFormat = (format: string): string =>
  formats.find(({ value }) => value === format)?.label ?? format

export const isUnfinished = ({ finishedAt }: Import): boolean => finishedAt === null

const importsKey = (workspaceId: string) => [workspaceId, 'imports'] as const

/** How many imports the screen shows. */
const SHOWN = '20'

/** The last imports of a workspace, newest first. */
export const importsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...importsKey(workspaceId), 'list'],
    queryFn: async () => {
      const query = { workspaceId, limit: SHOWN }
      return (await unwrap(api.GET('/portal/api/imports', { params: { query } }))).imports
    },
  })

/** The page of entries of an import after a cursor. */
export const readEntries = async (
  workspaceId: string,
  id: string,
  outcome: string,
  cursor: string | undefined,
) =>
  unwrap(
    api.GET('/portal/api/imports/issues', {
      params: { query: { workspaceId, id, ...(outcome && { outcome }), ...(cursor && { cursor }) } },
    }),
  )

/** Reads the imports again. */
export function useRefreshImports(workspaceId: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: importsKey(workspaceId) })
}

/** How large the pieces are in which a file is sent, in bytes. */
const PART_BYTES = 192 * 1024
/** Arguments of a function are limited. */
const CHARACTERS_AT_ONCE = 8192

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHARACTERS_AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(start, start + CHARACTERS_AT_ONCE))
  return btoa(text)
}

/** What a user decides about a file. */
export interface ImportChoices {
  readonly format: string
  readonly conflicts: string
  readonly source: string
  readonly keepIp: boolean
  readonly columns: Readonly<Record<string, string>>
}

/**
 * Begins a dry run, and sends its file in pieces.
 * @param onProgress gets the share that was sent
 */
export async function checkFile(
  workspaceId: string,
  file: File,
  { format, conflicts, source, keepIp, columns }: ImportChoices,
  onProgress: (share: number) => void,
): Promise<void> {
  const hasColumns = format === 'csv' && Object.keys(columns).length > 0
  const begun = await unwrap(
    api.POST('/portal/api/imports', {
      body: {
        workspaceId,
        format,
        conflicts,
        fileName: file.name,
        sizeBytes: String(file.size),
        dryRun: 'true',
        keepIp: String(keepIp),
        ...(source !== '' && { source }),
        ...(hasColumns && { columns: JSON.stringify(columns) }),
      },
    }),
  )
  const { id } = begun.import
  for (let part = 0; part * PART_BYTES < file.size; part++) {
    const bytes = new Uint8Array(await file.slice(part * PART_BYTES, (part + 1) * PART_BYTES).arrayBuffer())
    const data = encodeBase64(bytes)
    await unwrap(
      api.POST('/portal/api/imports/part', { body: { workspaceId, id, part: String(part), data } }),
    )
    onProgress(Math.min(1, ((part + 1) * PART_BYTES) / file.size))
  }
}

export const applyImport = (workspaceId: string, id: string) =>
  unwrap(api.POST('/portal/api/imports/apply', { body: { workspaceId, id } }))

export const cancelImport = (workspaceId: string, id: string) =>
  unwrap(api.POST('/portal/api/imports/cancel', { body: { workspaceId, id } }))

/** How many records were created, or would be: also those that meet an active sanction. */
export const countCreated = ({ created, merged, superseded }: Import): number =>
  Number(created) + Number(merged) + Number(superseded)

/** What became of the entries of a file, as the parts of a sentence. */
export function listResults(current: Import): string[] {
  const isDryRun = current.dryRun === 'true'
  const counts = [
    [countCreated(current), isDryRun ? 'would be created' : 'created'],
    [Number(current.merged), 'of them merged with an active sanction'],
    [Number(current.superseded), 'of them in place of an active sanction'],
    [Number(current.lifted), isDryRun ? 'would be lifted' : 'lifted'],
    [Number(current.known), 'imported before'],
    [Number(current.skipped), 'left out because of an active sanction'],
    [Number(current.unreadable), 'unreadable'],
  ] as const
  return counts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, what], index) =>
      index === 0 ? `${pluralize(count, 'record')} ${what}` : `${count} ${what}`,
    )
}
