import type { AuditTable, Queries } from '@reeve/db'
import { type AuditKey, authenticateData, GENESIS, hashRow, sealHead, toHashedRow } from './authenticate.ts'
import { readChainBatches } from './read-chain.ts'

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
  /** HMAC-SHA-256 over the header, the number of rows and the hash of the last one. */
  readonly proof: string
}

const prove = (key: AuditKey, { chain, exportedAt }: Header, rows: number, hash: string): string =>
  authenticateData(key, 'export', [FORMAT, chain, exportedAt, rows, hash])

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
  const footer: Footer = { rows, hash, proof: prove(key, header, rows, hash) }
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
 * Verifies an export: that all rows are there, unchanged and in order, and that an instance with this key has written it.
 * @throws Error that names the line
 */
export async function verifyExport(key: AuditKey, lines: AsyncIterable<string>): Promise<ExportReport> {
  let header: Header | null = null
  let footer: Footer | null = null
  let previous: AuditTable | null = null
  let [line, rows, redacted] = [0, 0, 0]
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
      const isNext =
        row.workspace_id === header.chain && (previous === null || row.sequence === previous.sequence + 1)
      const seal = sealHead(key, header.chain, row.sequence - 1, previous?.hash ?? GENESIS)
      if (!isNext || hashRow(key, toHashedRow(key, row, seal)) !== row.hash)
        throw new Error(`Line ${line} was altered, or the row before it is missing.`)
      previous = row
      rows += 1
      if (row.changes === null) redacted += 1
    }
  }
  if (header === null || footer === null) throw new Error('The end of the export is missing.')
  if (footer.rows !== rows || footer.proof !== prove(key, header, rows, previous?.hash ?? ''))
    throw new Error('The proof at the end does not match the rows: some are missing.')
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
