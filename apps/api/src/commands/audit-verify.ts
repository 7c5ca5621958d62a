import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ExportReport, parseAnchors, verifyAudit, verifyExport } from '@reeve/audit'
import { type CommandContext, localCommand, optional, pathCodec } from '../command-line/command.ts'
import { UsageError } from '../command-line/input.ts'
import { formatTimestamp, pluralize } from '../format.ts'
import { AUDIT_SETTINGS, readAuditLog } from './read-audit.ts'

/** Compares every row with the secret key, and with what was published before. Changes nothing, next to a running server. */
export const verifyAuditCommand = localCommand({
  options: {
    anchors: optional('<file>', 'a log or an anchor file: compare the log with the anchors in it', pathCodec),
    export: optional('<file>', 'verify a file that `reeve audit export` wrote instead', pathCodec),
  },
  settings: AUDIT_SETTINGS,
  async run(context, { anchors, export: exported }) {
    if (anchors !== null && exported !== null)
      throw new UsageError(['--anchors applies to the audit log of the instance, but --export names a file.'])
    return exported === null ? verifyLog(context, anchors) : { export: await verifyFile(context, exported) }
  },
  print: (result) => ('export' in result ? printExport(result.export) : printLog(result)),
  exitCode: (result) => ('export' in result || result.faults.length === 0 ? 0 : 1),
})

interface LogReport {
  readonly rows: number
  readonly chains: number
  readonly anchored: number
  /** The lines of the anchor file that cannot be read. */
  readonly damagedLines: readonly number[]
  /** When a log that was written without a key was keyed. */
  readonly keyedAt: readonly string[]
  readonly faults: readonly { readonly chain: string; readonly sequence: number; readonly fault: string }[]
}

async function verifyLog(context: CommandContext, anchorFile: string | null): Promise<LogReport> {
  const { anchors, damagedLines } = await parseAnchors(anchorFile === null ? [] : readLines(anchorFile))
  if (anchorFile !== null && anchors.size === 0)
    throw new Error(
      `${anchorFile} contains no anchors. Choose a log of the server, or the file in REEVE_AUDIT_ANCHOR_FILE.`,
    )
  const keyedAt: string[] = []
  const { faults, ...counts } = await readAuditLog(context, (read, key) =>
    verifyAudit(read, key, {
      anchors,
      onProgress: (rows) => context.progress.update(`${rows} rows`),
      onRow({ action, at }) {
        if (action === 'audit.key') keyedAt.push(formatTimestamp(at))
      },
    }),
  )
  return {
    ...counts,
    damagedLines,
    keyedAt,
    faults: faults.map(({ workspaceId: chain, ...fault }) => ({ chain, ...fault })),
  }
}

const verifyFile = (context: CommandContext, file: string): Promise<ExportReport> =>
  readAuditLog(context, async (_read, key) => {
    try {
      return await verifyExport(key, readLines(file))
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`)
    }
  })

function readLines(file: string): AsyncIterable<string> {
  if (!existsSync(file)) throw new Error(`The file ${file} does not exist.`)
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
}

const printLog = ({ rows, chains, anchored, damagedLines, keyedAt, faults }: LogReport): string =>
  [
    ...damagedLines.map(
      (line) => `Line ${line} of the anchors is damaged, such as by a full disk, and was skipped.`,
    ),
    ...faults.map(({ chain, sequence, fault }) => `Chain ${chain}, row ${sequence}: ${fault}.`),
    ...keyedAt.map((at) => `The log was keyed at ${at}. What is older was not protected before.`),
    faults.length === 0
      ? `All ${pluralize(rows, 'row')} of ${pluralize(chains, 'chain')} are present and unchanged.`
      : `${pluralize(faults.length, 'chain')} of ${chains} broken.`,
    ...(anchored === 0 ? [] : [`${pluralize(anchored, 'anchor')} confirmed.`]),
  ].join('\n')

const printExport = ({ chain, exportedAt, rows, redacted }: ExportReport): string =>
  `The export of chain ${chain} from ${exportedAt} is complete and unchanged: ${pluralize(rows, 'row')}` +
  `${redacted === 0 ? '' : `, the changes of ${redacted} of them redacted`}.`
