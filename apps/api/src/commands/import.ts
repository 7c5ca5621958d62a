import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { hasErrorCode, recordActions, wire } from '@reeve/core'
import {
  columnMap,
  conflictModes,
  type Import,
  type ImportInput,
  importFormats,
  MAX_FILE_BYTES,
  MAX_PART_BYTES,
  sourceName,
} from '@reeve/moderation'
import {
  argument,
  localCommand,
  optional,
  pathCodec,
  required,
  switchOption,
} from '../command-line/command.ts'
import { instanceSettings } from '../command-line/run-instance-command.ts'
import { readSettings } from '../config.ts'
import { formatPercent } from '../format.ts'
import { type ImportClient, openImportClient } from './import-client.ts'
import { beginImportStep, importEntriesStep, importPartStep } from './import-steps.ts'
import { workspaceOption } from './workspace-option.ts'

/** How often the progress is read. */
const POLL_MS = 300

interface Entry {
  readonly line: string
  readonly outcome: string
  readonly message: string
}
interface Page {
  readonly import: Import
  readonly issues: readonly Entry[]
  readonly nextCursor: string | null
}

/** `field=header`, separated by commas, as the JSON object that the API has. */
const columnsCodec: Pick<wire.Codec<Readonly<Record<string, string>>>, 'read'> = {
  read(text) {
    const pairs = text.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim()))
    if (pairs.some(([field, header]) => !field || !header))
      throw new wire.WireError('must be pairs such as userId=player,occurredAt=date')
    return columnMap.read(JSON.stringify(Object.fromEntries(pairs)))
  },
}

export const importCommand = localCommand({
  options: {
    workspace: workspaceOption,
    format: required('<format>', `what the file is: ${importFormats.join(', ')}`, wire.oneOf(importFormats)),
    file: argument('<file>', 'the file; also without the flag', pathCodec),
    dryRun: switchOption('report what would be created, skipped and merged, and change nothing'),
    conflicts: optional(
      '<mode>',
      'if a player has an active sanction already: skip the imported one (default), merge both, or supersede the current one',
      wire.oneOf(conflictModes),
    ),
    source: optional('<name>', 'names where the entries come from; by default the format', sourceName),
    keepIp: switchOption('keep IP addresses as evidence; by default they are dropped'),
    columns: optional(
      '<fields>',
      'for csv, the header of the column with each field: userId=player,occurredAt=date',
      columnsCodec,
    ),
    defaultAction: optional(
      '<action>',
      'for csv, the action of entries without one: ban by default',
      wire.oneOf(recordActions),
    ),
  },
  settings: instanceSettings,
  async run({ flags, env, progress }, { workspace, file, ...input }) {
    const sizeBytes = readSize(file)
    const client = await openImportClient(readSettings(instanceSettings, flags, env))
    try {
      const fields: ImportInput = {
        format: input.format,
        fileName: basename(file),
        sizeBytes,
        dryRun: input.dryRun,
        keepIp: input.keepIp,
        ...(input.conflicts !== null && { conflicts: input.conflicts }),
        ...(input.source !== null && { source: input.source }),
        ...(input.columns !== null && { columns: input.columns }),
        ...(input.defaultAction !== null && { defaultAction: input.defaultAction }),
      }
      const begun = await client.call<{ import: Import }>('import begin', beginImportStep, {
        workspace,
        import: fields,
      })
      const { id } = begun.import
      await sendFile(client, { workspace, id }, file, (text) => progress.update(text))
      await waitForEnd(client, { workspace, id }, (text) => progress.update(text))
      return await readReport(client, { workspace, id })
    } finally {
      await client.close()
    }
  },
  print: ({ import: result, entries }) => [formatSummary(result), ...entries.map(formatEntry)].join('\n'),
  exitCode: ({ import: { state } }) => (state === 'succeeded' ? 0 : 1),
})

function readSize(file: string): number {
  let size: number
  try {
    const stats = statSync(file)
    if (!stats.isFile()) throw new Error('not a file')
    size = stats.size
  } catch {
    throw new Error(`${file} cannot be read. Check the path and its permissions.`)
  }
  if (size === 0) throw new Error(`${file} is empty.`)
  if (size > MAX_FILE_BYTES)
    throw new Error(`${file} is larger than ${MAX_FILE_BYTES} bytes. Split it, or leave out other tables.`)
  return size
}

interface Key {
  readonly workspace: string
  readonly id: string
}

async function sendFile(
  client: ImportClient,
  key: Key,
  file: string,
  report: (text: string) => void,
): Promise<void> {
  let part = 0
  for await (const chunk of createReadStream(file, { highWaterMark: MAX_PART_BYTES })) {
    const data = (chunk as Buffer).toString('base64')
    const sent = await client.call<{ import: Import }>('import part', importPartStep, { ...key, part, data })
    part += 1
    report(`sending ${formatPercent(Number(sent.import.receivedBytes), Number(sent.import.sizeBytes))}`)
  }
}

async function waitForEnd(client: ImportClient, key: Key, report: (text: string) => void): Promise<void> {
  const running = client.run()
  const readState = () => client.call<Page>('import entries', importEntriesStep, { ...key, cursor: null })
  const poll = async () => {
    for (;;) {
      const { import: current } = await readState()
      if (current.finishedAt !== null) return
      report(`${current.state}: ${formatPercent(Number(current.progress), 1)}, ${current.processed} entries`)
      await Promise.race([running, Bun.sleep(POLL_MS)])
      await Bun.sleep(POLL_MS)
    }
  }
  try {
    await Promise.all([running, poll()])
  } catch (error) {
    // The storage is not available for another import, which the server continues.
    const hasEnded = hasErrorCode(error, 'unavailable') && (await readState()).import.finishedAt !== null
    if (!hasEnded) throw error
  }
}

async function readReport(client: ImportClient, key: Key) {
  const entries: Entry[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page = await client.call<Page>('import entries', importEntriesStep, { ...key, cursor })
    entries.push(...page.issues)
    cursor = page.nextCursor
    if (cursor === null) return { import: page.import, entries }
  }
}

const formatEntry = ({ line, outcome, message }: Entry): string => `line ${line}: ${outcome}: ${message}`

function formatSummary(result: Import): string {
  const { fileName, dryRun, state, error, warning } = result
  const counts = [
    [result.created, 'created'],
    [result.known, 'imported before'],
    [result.skipped, 'skipped'],
    [result.merged, 'merged'],
    [result.superseded, 'superseding'],
    [result.lifted, 'lifted'],
    [result.unreadable, 'unreadable'],
  ] as const
  const listed = counts.map(([count, name]) => `${count} ${name}`).join(', ')
  const subject = dryRun === 'true' ? `Dry run of ${fileName}, nothing was changed` : `Import of ${fileName}`
  return state === 'succeeded'
    ? `${subject}: ${listed}.${warning === null ? '' : ` ${warning}`}`
    : `${subject}: ${state}. ${error ?? ''} ${listed}.`
}
