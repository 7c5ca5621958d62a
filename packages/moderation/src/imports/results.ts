import { countStoredBytes, type Ports } from '@reeve/core'
import type { ImportOutcome, ImportTable, Transaction } from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { saveImport } from './claim.ts'
import { insertImportIssue } from './store.ts'

/** How many entries of each outcome are listed; all of them are counted. */
const MAX_LISTED: Readonly<Record<ImportOutcome, number>> = {
  created: 1000,
  known: 0,
  skipped: 10_000,
  merged: 10_000,
  superseded: 10_000,
  lifted: 10_000,
  unreadable: 100_000,
}

const COUNT_COLUMNS = {
  created: 'created_count',
  known: 'known_count',
  skipped: 'skipped_count',
  merged: 'merged_count',
  superseded: 'superseded_count',
  lifted: 'lifted_count',
  unreadable: 'unreadable_count',
} as const satisfies Record<ImportOutcome, keyof ImportTable>

/** What became of an entry. */
export interface Result {
  readonly number: number
  readonly line: number
  readonly outcome: ImportOutcome
  readonly message: string
}

/** Stores what became of a slice, and the progress. @returns null if the import no longer belongs to this process */
export async function saveResults(
  tx: Transaction,
  ports: Ports,
  row: ImportTable,
  runner: string,
  results: readonly Result[],
  readBytes: number,
): Promise<ImportTable | null> {
  const counts = Object.fromEntries(
    Object.values(COUNT_COLUMNS).map((column) => [column, row[column]]),
  ) as Record<(typeof COUNT_COLUMNS)[ImportOutcome], number>
  let listedBytes = 0
  for (const { outcome, ...issue } of results) {
    const column = COUNT_COLUMNS[outcome]
    counts[column] += 1
    const isListed = outcome !== 'created' || row.is_dry_run === 1
    if (!isListed || counts[column] > MAX_LISTED[outcome]) continue
    await insertImportIssue(tx, { workspace_id: row.workspace_id, import_id: row.id, outcome, ...issue })
    listedBytes += countStoredBytes(issue.message)
  }
  await changeStorage(tx, row.workspace_id, 'records', listedBytes)
  const position = results.at(-1)?.number ?? row.position
  // Last, because it locks the row, and a cancellation locks it after the workspace.
  return saveImport(tx, ports, row, runner, { ...counts, position, read_bytes: readBytes })
}
