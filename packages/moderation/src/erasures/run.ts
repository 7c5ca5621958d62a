import { appendAuditEntry, blankNextChanges, FINISH_ERASURE } from '@reeve/audit'
import { parseActor } from '@reeve/auth'
import { doWork, type EvidenceStore, type Ports } from '@reeve/core'
import { hashPlayer } from '@reeve/core/player-hashes'
import { type Database, type ErasureTable, type Transaction, yieldToEventLoop } from '@reeve/db'
import { requestRecount } from '@reeve/metering'
import { deleteRemovedBytes } from '../evidence-files/content.ts'
import { deleteSomeImportFiles } from '../imports/cleanup.ts'
import { type FoundTexts, findTexts } from './find-texts.ts'
import { eraseNextMentions, findLastCase } from './mentions.ts'
import { ensurePlayerKey } from './player-key.ts'
import { erasePlayerRows, eraseSomeAppeals } from './player-rows.ts'
import { createChangesEraser } from './player-text.ts'
import { eraseRecord, findNextRecord, pseudonymiseRecord } from './records.ts'
import {
  addCounts,
  type ErasureCounts,
  findNextErasure,
  lockErasure,
  parseCounts,
  updateErasure,
} from './store.ts'
import { eraseResponsesOfRecord, eraseStoredTexts } from './stored-texts.ts'

export interface ErasureDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly evidence: EvidenceStore
  /** Aborted at shutdown: the erasure stops after the current transaction, and continues with the next start. */
  readonly signal: AbortSignal
}

/** What a transaction of a step has done. */
interface Slice {
  readonly counts: ErasureCounts
  /** Where the step continues; null at its end. */
  readonly next: number | null
  readonly mentionedIn?: readonly number[]
  /** The record whose files have to be deleted after the commit. */
  readonly recordId?: string
}

interface Erasure {
  readonly ports: Ports
  readonly row: ErasureTable
  readonly workspaceId: string
  readonly userIds: readonly string[]
  /** What was found before the transaction; null before other steps. */
  readonly found: FoundTexts | null
}

type Step = (tx: Transaction, erasure: Erasure, position: number) => Promise<Slice>

/** Looks for texts before its transaction, which other writes wait for. */
const eraseTexts: Step = async (tx, { found, ...players }) => {
  // Another process has completed the step before in the meantime.
  if (found === null) return { counts: {}, next: 0 }
  const counts = await eraseStoredTexts(tx, players, found)
  // What was deleted or shortened is too scattered to count it here.
  await requestRecount(tx, players.workspaceId)
  return { counts, next: null }
}

/** In order. A step that was interrupted continues where its last transaction ended; each one finds only what is left. */
const steps: readonly Step[] = [
  async (tx, { ports, ...players }) => {
    const { appeals, isComplete } = await eraseSomeAppeals(tx, ports, players)
    return { counts: { appeals }, next: isComplete ? null : 0 }
  },
  eraseNextRecord,
  async (tx, { ports, ...players }) => ({ counts: await erasePlayerRows(tx, ports, players), next: null }),
  eraseTexts,
  // Of a dry run, whose file is kept for a while.
  async (tx, { workspaceId }) => ({
    counts: {},
    next: (await deleteSomeImportFiles(tx, workspaceId)) ? null : 0,
  }),
  async (tx, erasure, position) => {
    const late = await eraseLateRecord(tx, erasure)
    if (late !== null) return { ...late, next: position }
    const { ports, workspaceId, userIds } = erasure
    const eraseJson = createChangesEraser(userIds)
    const { next, blanked } = await blankNextChanges(tx, ports, workspaceId, eraseJson, position)
    return { counts: { auditEntries: blanked }, next }
  },
  async (tx, players, position) => {
    const { next, actors, cases } = await eraseNextMentions(tx, players, position)
    const isComplete = next >= (await findLastCase(tx, players.workspaceId))
    return { counts: { actors }, next: isComplete ? null : next, mentionedIn: cases }
  },
]

async function eraseNextRecord(
  tx: Transaction,
  { ports, row, workspaceId, userIds }: Erasure,
): Promise<Slice> {
  const record = await findNextRecord(tx, workspaceId, userIds)
  if (!record) return { counts: {}, next: null }
  const actor = parseActor(row)
  if (row.mode === 'erase') await eraseRecord(tx, ports, actor, record)
  else
    await pseudonymiseRecord(
      tx,
      ports,
      actor,
      record,
      await ensurePlayerKey(tx, ports, 'pseudonyms', workspaceId),
    )
  const responses = await eraseResponsesOfRecord(tx, record)
  return { counts: { records: 1, responses }, next: 0, recordId: record.id }
}

/**
 * Erases a case that was recorded after the step for cases, with what came with it: otherwise the log would lose what it says about a
 * case that stays.
 * @returns null if there is none
 */
async function eraseLateRecord(
  tx: Transaction,
  erasure: Erasure,
): Promise<Pick<Slice, 'counts' | 'recordId'> | null> {
  const { ports, ...players } = erasure
  if (!(await findNextRecord(tx, players.workspaceId, players.userIds))) return null
  const { appeals, isComplete } = await eraseSomeAppeals(tx, ports, players)
  if (!isComplete) return { counts: { appeals } }
  const { counts, recordId } = await eraseNextRecord(tx, erasure)
  const rows = await erasePlayerRows(tx, ports, players)
  return { counts: addCounts({ appeals, ...rows }, counts), ...(recordId !== undefined && { recordId }) }
}

/**
 * Runs the erasures that were requested, in small transactions between which other requests run. What was interrupted continues with the
 * next call.
 * @throws Error naming the workspace of the first erasure that failed, after the others, or after several in a row that were `unavailable`;
 *   it is `unavailable` if all that failed were
 */
export async function runErasures(dependencies: ErasureDependencies): Promise<void> {
  const { db, signal } = dependencies
  await doWork<ErasureTable>(signal, {
    findNext: (failed) => findNextErasure(db.read, failed),
    async run(next) {
      await continueErasure(dependencies, next)
      await yieldToEventLoop()
    },
    describe: ({ id, workspace_id }) => `the erasure ${id} in workspace ${workspace_id}`,
  })
}

async function continueErasure(
  { db, ports, evidence }: ErasureDependencies,
  row: ErasureTable,
): Promise<void> {
  const { workspace_id: workspaceId, id } = row
  const found =
    steps[row.step] === eraseTexts
      ? await findTexts(db.read, { workspaceId, userIds: parseUserIds(row) })
      : null
  const slice = await db.write((tx) => runSlice(tx, ports, { workspaceId, id }, found))
  if (slice?.recordId !== undefined)
    await deleteRemovedBytes({ db, evidence }, { workspaceId, recordId: slice.recordId })
}

/** One transaction of an erasure. @returns null if it is complete */
async function runSlice(
  tx: Transaction,
  ports: Ports,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  found: FoundTexts | null,
): Promise<Slice | null> {
  const row = await lockErasure(tx, workspaceId, id)
  if (!row || row.user_ids === null) return null
  const run = steps[row.step]
  if (!run) {
    await finish(tx, ports, row)
    return null
  }
  const erasure = { ports, row, workspaceId, userIds: parseUserIds(row), found }
  const slice = await run(tx, erasure, row.position ?? 0)
  const mentionedIn = [...(JSON.parse(row.mentioned_in) as number[]), ...(slice.mentionedIn ?? [])]
  await updateErasure(tx, row, {
    counts: JSON.stringify(addCounts(parseCounts(row), slice.counts)),
    mentioned_in: JSON.stringify(mentionedIn.slice(0, MAX_MENTIONS)),
    ...(slice.next === null ? { step: row.step + 1, position: null } : { position: slice.next }),
  })
  return slice
}

const parseUserIds = ({ user_ids }: ErasureTable): readonly string[] =>
  user_ids === null ? [] : JSON.parse(user_ids)

/** The most cases of other players that the result of an erasure names. */
const MAX_MENTIONS = 500

/** Completes an erasure: from now on, only keyed hashes tell whose it was, by which restores of older archives leave the player out. */
async function finish(tx: Transaction, ports: Ports, row: ErasureTable): Promise<void> {
  const counts = Object.entries(parseCounts(row)).map(([name, count]) => [name, String(count)])
  const sequence = await appendAuditEntry(tx, ports, parseActor(row), {
    action: FINISH_ERASURE,
    target: { kind: 'erasure', id: row.id },
    after: { mode: row.mode, ...Object.fromEntries(counts) },
    chain: row.workspace_id,
  })
  const key = await ensurePlayerKey(tx, ports, 'erasures', row.workspace_id)
  const hashes = parseUserIds(row).map((userId) => hashPlayer(key, userId))
  await updateErasure(tx, row, {
    user_ids: null,
    user_hashes: JSON.stringify(hashes),
    finished_sequence: sequence,
    finished_at: ports.now(),
  })
}
