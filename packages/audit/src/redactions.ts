import { type AuditTable, type Queries, statement } from '@reeve/db'
import { parseChanges } from './changes.ts'

/** What the changes in the log can be removed of. */
export const REDACTABLE_KINDS = ['record', 'appeal'] as const
const redactableKinds: ReadonlySet<string> = new Set(REDACTABLE_KINDS)

/** The action of the last entry about a record of a player who was erased. */
export const ERASE_RECORD = 'moderation.erase'

/** The action of the entry with which the player of a record was replaced by a pseudonym. */
export const PSEUDONYMISE_RECORD = 'moderation.pseudonymise'

/** The actions after which the log has nothing about what happened to a record before. */
const REDACTIONS: ReadonlySet<string> = new Set(['moderation.redact', ERASE_RECORD, PSEUDONYMISE_RECORD])

/** Whether the texts of a record were removed by an action. */
export const isRedaction = (action: string): boolean => REDACTIONS.has(action)

/** The action of entries about the records that retention rules have deleted, with their changes in the log. They have counts and no ids. */
export const DELETION_ACTION = 'retention.delete'

const runInProgress = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('retention_run')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)
const deletionEntries = statement<{ workspaceId: string; action: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .where('action', '=', p.action)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** How many records and appeals a run has deleted that has no entry yet, because it is in progress or was interrupted. */
export async function countUnloggedDeletions(read: Queries, workspaceId: string): Promise<number> {
  const run = await read.first(runInProgress, { workspaceId })
  if (!run) return 0
  const { note_count, warn_count, kick_count, mute_count, ban_count, appeal_count } = run
  return note_count + warn_count + kick_count + mute_count + ban_count + appeal_count
}

/** The sequence of the last entry about deleted records; 0 if there is none. */
export const findLastDeletion = async (read: Queries, workspaceId: string): Promise<number> =>
  (await read.first(deletionEntries, { workspaceId, action: DELETION_ACTION }))?.sequence ?? 0

/** How many records and appeals an entry says were deleted. */
function countDeleted(changes: string | null): number {
  const { records, appeals } = (changes === null ? null : parseChanges(changes).before) ?? {}
  return Number(records ?? 0) + Number(appeals ?? 0)
}

/**
 * Finds changes that were removed from rows without a reason. A redaction removes the changes of all rows about a record, and is a
 * row about it itself, which comes after them. Retention rules remove those of records and appeals that they delete, and a later row has
 * their number.
 */
export function collectRedactions() {
  /** The first row without changes that no redaction explains yet, by record or appeal. */
  const unexplained = new Map<string, number>()
  let [deleted, lastDeletion] = [0, 0]
  return {
    /** Adds the next row of the chain. @returns what is wrong with it; null if nothing is, or if that is not known yet */
    add({ changes, target_kind, target_id, action, sequence }: AuditTable): string | null {
      if (target_kind === 'record' && isRedaction(action)) unexplained.delete(target_id)
      if (action === DELETION_ACTION) {
        deleted += countDeleted(changes)
        lastDeletion = sequence
      }
      if (changes !== null) return null
      if (!redactableKinds.has(target_kind))
        return 'its changes were removed, although it is not about a record'
      if (!unexplained.has(target_id)) unexplained.set(target_id, sequence)
      return null
    },
    /**
     * The first row whose changes are missing without a reason, once all rows were added.
     * @param unloggedDeletions as `countUnloggedDeletions` returns it
     */
    findUnexplained(unloggedDeletions: number): number | null {
      const sequences = [...unexplained.values()]
      if (sequences.length > deleted + unloggedDeletions) return sequences[0] ?? null
      if (unloggedDeletions > 0) return null
      return sequences.find((sequence) => sequence > lastDeletion) ?? null
    },
  }
}
