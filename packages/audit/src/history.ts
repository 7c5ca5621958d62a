import { ReadThroughCache } from '@reeve/core'
import { type Database, statement, type Transaction } from '@reeve/db'

const headByWorkspace = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(['audit_sequence', 'history', 'feed_from'])
    .where('workspace_id', '=', p.workspaceId),
)
const increaseHistory = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ history: eb('history', '+', 1) }))
    .where('workspace_id', '=', p.workspaceId),
)

const setFeedStart = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ feed_from: eb.ref('audit_sequence') }))
    .where('workspace_id', '=', p.workspaceId),
)

const skipUntil = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ feed_from: p.sequence })
    .where('workspace_id', '=', p.workspaceId)
    .where('feed_from', '<', p.sequence),
)

/** The action of changes that the feed leaves out, because there are many of them: those of an import. */
export const BULK_ACTION = 'moderation.import'

/**
 * Ends many changes that the feed has left out, in the transaction of the last one: followers read one snapshot instead. The epoch stays, because
 * the audit log has every change, and webhooks continue.
 */
export async function markBulkChange(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.run(setFeedStart, { workspaceId })
  tx.announce({ kind: 'record', workspaceId, id: workspaceId })
}

/**
 * Lets the feed begin at a sequence, because records that had changed until then are deleted: followers that have not got so far read
 * a snapshot instead.
 */
export const skipInFeed = (tx: Transaction, workspaceId: string, sequence: number): Promise<number> =>
  tx.run(skipUntil, { workspaceId, sequence })

/** Where the changes of a workspace have got to. */
export interface HistoryPosition {
  /** Another one after a restore, a move or a roll-back: sequences of different epochs cannot be compared. */
  readonly epoch: string
  /** The sequence of the newest change; 0 if there is none. */
  readonly sequence: number
  /** The feed continues only from this sequence or a later one. */
  readonly feedFrom: number
}

/**
 * Begins a new epoch of a workspace, in the transaction of a change that the audit log does not describe record by record, and
 * announces that records have changed.
 */
export async function beginEpoch(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.run(increaseHistory, { workspaceId })
  tx.announce({ kind: 'record', workspaceId, id: workspaceId })
}

async function readPosition(db: Database, historyId: string, workspaceId: string): Promise<HistoryPosition> {
  const head = await db.read.first(headByWorkspace, { workspaceId })
  return {
    epoch: `${historyId}-${head?.history ?? 0}`,
    sequence: head?.audit_sequence ?? 0,
    feedFrom: head?.feed_from ?? 0,
  }
}

const MAX_CACHED = 10_000

/** The changes on which the response of a ban check depends: it tells players whether they can appeal. */
const POSITION_KINDS: ReadonlySet<string> = new Set(['record', 'workspace', 'appeal', 'appeal_settings'])

/** Reads positions. */
export interface HistoryReader {
  /**
   * The position after the last change of a record, of its appeals or of the workspace as a whole: two equal results mean that none of
   * these has changed in between. Other changes may have increased the sequence since.
   */
  readonly getCached: (workspaceId: string) => HistoryPosition | Promise<HistoryPosition>
  /** Reads the position from the database and caches it. */
  readonly read: (workspaceId: string) => Promise<HistoryPosition>
}

/** Creates a read-through cache of positions. */
export function createHistoryReader(db: Database): HistoryReader {
  const positions = new ReadThroughCache<HistoryPosition>(MAX_CACHED)
  let historyId: Promise<string> | null = null
  const getHistoryId = (): Promise<string> => {
    historyId ??= db.readHistoryId().catch((error) => {
      historyId = null
      throw error
    })
    return historyId
  }
  db.onChange((change) => {
    if (POSITION_KINDS.has(change.kind)) positions.invalidate(change.workspaceId)
  })
  db.onMissedChanges(() => {
    // The database may have been restored, or replaced by its standby, meanwhile.
    historyId = null
    positions.invalidateAll()
  })
  const load = async (workspaceId: string) => readPosition(db, await getHistoryId(), workspaceId)
  const getCached = (workspaceId: string) =>
    positions.get(workspaceId, () => load(workspaceId)) as HistoryPosition | Promise<HistoryPosition>
  return {
    getCached,
    async read(workspaceId) {
      positions.invalidate(workspaceId)
      return getCached(workspaceId)
    },
  }
}
