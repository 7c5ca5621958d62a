import {
  type Actor,
  AppError,
  doWork,
  hasErrorCode,
  type Platforms,
  type Ports,
  parsePlatforms,
  UNEXPECTED_ERROR,
} from '@reeve/core'
import { createTimeSlicer, type ImportTable, type Queries, statement, type Transaction } from '@reeve/db'
import { assertNotArchived } from '../assert-writable.ts'
import { applyEntry, createDryRunMemory, type DryRunMemory, decideEntry } from './apply-entry.ts'
import { claimNextImport, createHeartbeat, ImportStopped, releaseImport, saveImport } from './claim.ts'
import { createDamagedTexts } from './damaged-texts.ts'
import type { ImportDependencies } from './dependencies.ts'
import { endImport } from './end.ts'
import type { ImportedColumns } from './entry.ts'
import { type ExpectedLifts, findExpectedLifts } from './expected-lifts.ts'
import { canLackIds } from './formats/index.ts'
import { type ImportContext, loadImporter } from './importer.ts'
import { type ReadProgress, readImportFile } from './read-file.ts'
import { type NumberedItem, readItem } from './read-item.ts'
import { type Result, saveResults } from './results.ts'
import { findSharedIds, type SharedIds } from './source-ids.ts'
import { deleteImportIssues, noProgress, requireImport } from './store.ts'

/** Entries per transaction. A record has a dozen index entries. */
const ENTRIES_PER_SLICE = 25
/** The most entries of a file. */
const MAX_ENTRIES = 2_000_000
const platformsOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('platforms').where('id', '=', p.workspaceId),
)

/**
 * Runs imports that are queued or were interrupted, one at a time, until none is left that this process can run.
 * @throws AppError `unavailable` if the storage is not available for one of them, after those that follow; it continues with the next call
 */
export async function runImports(dependencies: ImportDependencies): Promise<void> {
  const { db, ports, runner, signal } = dependencies
  await doWork<ImportTable>(signal, {
    findNext: (failed) => claimNextImport(db, ports, runner, failed?.id),
    run: (claimed) => runToEnd(dependencies, claimed),
    describe: ({ id, workspace_id }) => `the import ${id} in workspace ${workspace_id}`,
  })
}

/** An error of the file or of the server ends the import, too. @throws AppError `unavailable` */
async function runToEnd(dependencies: ImportDependencies, claimed: ImportTable): Promise<void> {
  try {
    await runImport(dependencies, claimed)
  } catch (error) {
    if (hasErrorCode(error, 'unavailable')) throw error
    if (error instanceof ImportStopped) {
      await releaseImport(dependencies.db, claimed, dependencies.runner)
      return
    }
    if (!(error instanceof AppError)) dependencies.onFailure(error)
    await failImport(dependencies, claimed, error)
  }
}

const failImport = ({ db, ports, runner }: ImportDependencies, claimed: ImportTable, error: unknown) =>
  db.write(async (tx) => {
    // What was imported before the failure stays.
    const current = await requireImport(tx, claimed.workspace_id, claimed.id)
    const row = await saveImport(tx, ports, current, runner, {})
    if (row !== null) await endImport(tx, ports, row, 'failed', describeFailure(row, error))
  })

function describeFailure({ position, is_dry_run }: ImportTable, error: unknown): string {
  if (!(error instanceof AppError)) return UNEXPECTED_ERROR
  if (error.code !== 'storage_quota_exceeded') return error.message
  const processed = `${position} ${position === 1 ? 'entry was' : 'entries were'} processed before.`
  return is_dry_run === 1
    ? `${error.message} ${processed}`
    : `${error.message} ${processed} Import the file again once there is space: what was imported stays and is not imported twice.`
}

async function runImport(dependencies: ImportDependencies, claimed: ImportTable): Promise<void> {
  const { db, ports, signal } = dependencies
  const progress: ReadProgress = { bytes: 0 }
  const memory = claimed.is_dry_run === 1 ? createDryRunMemory() : null
  const yieldIfDue = createTimeSlicer()
  // A dry run that was interrupted starts again, because it remembers the entries before.
  const isStart = memory !== null || claimed.position === 0
  if (isStart) await deleteImportIssues(db, { workspaceId: claimed.workspace_id, id: claimed.id }, signal)
  const workspace = await db.read.first(platformsOf, { workspaceId: claimed.workspace_id })
  const start = isStart ? { ...claimed, ...noProgress } : claimed
  const platforms = parsePlatforms(workspace?.platforms ?? null)
  const sharedIds = await readSharedIds(dependencies, start)
  const expected = await findExpectedLifts(dependencies, start, platforms, sharedIds)
  const slice = createSlice(dependencies, start, { memory, expected, sharedIds }, progress, platforms)
  const keepImport = createHeartbeat(dependencies, () => slice.row)
  const damagedTexts = createDamagedTexts()
  let number = 0
  for await (const item of readImportFile(db, claimed, progress, keepImport)) {
    await keepImport()
    number += 1
    damagedTexts.add(item)
    // Those before an interruption are already imported.
    if (number > start.position) await slice.add({ ...item, number })
    await yieldIfDue()
    if (number >= MAX_ENTRIES)
      throw new AppError('conflict', { message: `The file has more than ${MAX_ENTRIES} entries. Split it.` })
  }
  await slice.flush()
  await db.write(async (tx) => {
    const row = await saveImport(tx, ports, slice.row, dependencies.runner, {})
    if (row === null) throw new ImportStopped()
    if (number === 0)
      return endImport(
        tx,
        ports,
        row,
        'failed',
        'The file contains no entry of this format. Check the format and the file.',
      )
    return endImport(tx, ports, row, 'succeeded', damagedTexts.describe())
  })
}

/** The ids that different entries of the file share, which it says at its end only. */
async function readSharedIds(dependencies: ImportDependencies, row: ImportTable): Promise<SharedIds> {
  if (!canLackIds(row.format)) return new Set()
  const keepImport = createHeartbeat(dependencies, () => row)
  const items = readImportFile(dependencies.db, row, { bytes: 0 }, keepImport)
  return findSharedIds(items, MAX_ENTRIES)
}

/** What a file as a whole says about its entries. */
interface FileContext {
  readonly expected: ExpectedLifts
  readonly sharedIds: SharedIds
}

/** Collects entries, and stores them together with the progress, so that an interruption neither loses nor repeats them. */
function createSlice(
  { db, ports, storage, runner }: ImportDependencies,
  claimed: ImportTable,
  { memory, ...file }: FileContext & { readonly memory: DryRunMemory | null },
  progress: ReadProgress,
  platforms: Platforms,
) {
  let row = claimed
  let items: NumberedItem[] = []
  return {
    get row() {
      return row
    },
    async add(item: NumberedItem): Promise<void> {
      items.push(item)
      if (items.length >= ENTRIES_PER_SLICE) await this.flush()
    },
    async flush(): Promise<void> {
      if (items.length === 0) return
      // A dry run remembers what it has decided, which must not happen twice; it writes only what it lists.
      const now = ports.now()
      const load = (queries: Queries) => loadImporter(queries, ports, row, platforms)
      const decided =
        memory === null
          ? null
          : await decideSlice({ db: db.read, actor: await load(db.read), row, now }, items, memory, file)
      const saved = await db.write(async (tx) => {
        await assertNotArchived(tx, row.workspace_id)
        await storage.assertAvailable(tx, row.workspace_id, 'optional')
        const results = decided ?? (await applySlice(tx, ports, await load(tx), row, items, file))
        const next = await saveResults(tx, ports, row, runner, results, progress.bytes)
        // In the transaction, which then stores nothing of the slice.
        if (next === null) throw new ImportStopped()
        return next
      })
      row = saved
      items = []
    },
  }
}

async function decideSlice(
  context: ImportContext,
  items: readonly NumberedItem[],
  memory: DryRunMemory,
  { expected, sharedIds }: FileContext,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    const { columns, problem, lifts: _, ...place } = await readItem(context, item, sharedIds)
    if (columns === null) results.push({ ...place, outcome: 'unreadable', message: problem })
    else {
      const decision = await decideEntry(context, columns, memory, expected)
      results.push({ ...place, outcome: decision.outcome, message: describe(columns, decision.problem) })
    }
  }
  return results
}

async function applySlice(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: ImportTable,
  items: readonly NumberedItem[],
  { expected, sharedIds }: FileContext,
): Promise<Result[]> {
  const results: Result[] = []
  const yieldIfDue = createTimeSlicer()
  for (const item of items) {
    const context = { db: tx, actor, row, now: ports.now() }
    const { columns, problem, lifts, ...place } = await readItem(context, item, sharedIds)
    if (columns === null) results.push({ ...place, outcome: 'unreadable', message: problem })
    else {
      const decision = await decideEntry(context, columns, null, expected)
      await applyEntry(tx, ports, actor, row, columns, decision, lifts)
      results.push({ ...place, outcome: decision.outcome, message: describe(columns, decision.problem) })
    }
    await yieldIfDue()
  }
  return results
}

/** An entry in a few words. @param problem why it is skipped, unless the player has a sanction */
function describe(
  { action, user_id, user_username, source_id }: ImportedColumns,
  problem: string | null,
): string {
  const entry = `${action} ${user_username === null ? user_id : `${user_username} (${user_id})`}, ${source_id}`
  return problem === null ? entry : `${entry}: ${problem}`
}
