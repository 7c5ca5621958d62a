import type { AuditTable, Queries } from '@reeve/db'
import { type AuditKey, authenticateData } from './authenticate.ts'
import { collectBlankedNames } from './blanked-names.ts'
import { readChainBatches } from './read-chain.ts'
import { collectRedactions, countUnloggedDeletions } from './redactions.ts'
import { findRowFault, UNEXPLAINED, UNEXPLAINED_NAME } from './row-fault.ts'

const FORMAT = 'reeve-audit-export-1'

interface Header {
  readonly format: typeof FORMAT
  readonly chain: string
  /** RFC 3339. */
  readonly exportedAt: string
}

/** The end of an export: what is before it is complete, if the proof matches. */
interface Footer {
  readonly rows: number
  readonly hash: string
  /** As `countUnloggedDeletions` returns it. */
  readonly unloggedDeletions: number
  /** HMAC-SHA-256 over the header and the other fields. */
  readonly proof: string
}

const prove = (
  key: AuditKey,
  { chain, exportedAt }: Header,
  { rows, hash, unloggedDeletions }: Omit<Footer, 'proof'>,
): string => authenticateData(key, 'export', [FORMAT, chain, exportedAt, rows, hash, unloggedDeletions])

/**
 * The lines of an export of a whole chain: a header, its rows as they are stored, and a proof.
 * @param exportedAt RFC 3339
 * @throws Error if the chain has no rows
 */
export async function* exportChain(
  queries: Queries,
  key: AuditKey,
  chain: string,
  exportedAt: string,
): AsyncGenerator<string> {
  const header: Header = { format: FORMAT, chain, exportedAt }
  yield JSON.stringify(header)
  const deletedBefore = await countUnloggedDeletions(queries, chain)
  let [rows, hash] = [0, '']
  for await (const batch of readChainBatches(queries, chain)) {
    for (const row of batch) {
      yield JSON.stringify(row)
      rows += 1
      hash = row.hash
    }
  }
  if (rows === 0)
    throw new Error(
      `There is no audit log of ${chain}. \`reeve workspace list\` shows the IDs of workspaces.`,
    )
  // A run of retention rules may delete more meanwhile, or end with an entry that comes after the rows.
  const unloggedDeletions = Math.max(deletedBefore, await countUnloggedDeletions(queries, chain))
  const end = { rows, hash, unloggedDeletions }
  const footer: Footer = { ...end, proof: prove(key, header, end) }
  yield JSON.stringify(footer)
}

/** What a verified export contains. */
export interface ExportReport {
  readonly chain: string
  readonly exportedAt: string
  readonly rows: number
  /** Rows whose changes were redacted before the export. */
  readonly redacted: number
}

/**
 * Verifies an export: that all rows are there, unchanged and in order, that a later row explains whatever was removed from one, and that an
 * instance with this key has written it.
 * @throws Error that names the line or the row
 */
export async function verifyExport(key: AuditKey, lines: AsyncIterable<string>): Promise<ExportReport> {
  let header: Header | null = null
  let footer: Footer | null = null
  let previous: AuditTable | null = null
  let [line, rows, redacted] = [0, 0, 0]
  const redactions = collectRedactions()
  const blankedNames = collectBlankedNames()
  for await (const text of lines) {
    line += 1
    const parsed = parseLine(text, line)
    if (header === null) {
      header = parsed as Header
      if (header.format !== FORMAT) throw new Error('It is not an export of an audit log.')
    } else if (footer !== null) throw new Error(`Line ${line} comes after the end of the export.`)
    else if ('proof' in parsed) footer = parsed as Footer
    else {
      const row = parsed as AuditTable
      if (row.workspace_id !== header.chain || findRowFault(key, row, previous) !== null)
        throw new Error(`Line ${line} was altered, or the row before it is missing.`)
      const fault = redactions.add(row)
      if (fault !== null) throw new Error(`Line ${line}: ${fault}.`)
      blankedNames.add(row)
      previous = row
      rows += 1
      if (row.changes === null) redacted += 1
    }
  }
  if (header === null || footer === null) throw new Error('The end of the export is missing.')
  const { unloggedDeletions } = footer
  const proof = prove(key, header, { rows, hash: previous?.hash ?? '', unloggedDeletions })
  if (footer.rows !== rows || footer.proof !== proof)
    throw new Error('The proof at the end does not match the rows: some are missing.')
  const unexplained = redactions.findUnexplained(unloggedDeletions)
  if (unexplained !== null) throw new Error(`Row ${unexplained}: ${UNEXPLAINED}.`)
  const withoutName = blankedNames.findUnexplained()
  if (withoutName !== null) throw new Error(`Row ${withoutName}: ${UNEXPLAINED_NAME}.`)
  return { chain: header.chain, exportedAt: header.exportedAt, rows, redacted }
}

function parseLine(text: string, line: number): object {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // The same error as for a line that is no object.
  }
  throw new Error(`Line ${line} is damaged.`)
}
