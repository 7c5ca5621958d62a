import { parseChanges } from '@reeve/audit'
import type { Queries } from '@reeve/db'
import { changesByTarget, rollBackJobs, sequencesByTarget } from './statements.ts'

/** A roll-back of a workspace: the changes between `to` and `at` are undone. Both are sequences; `to` is null if it is not known. */
interface RollBack {
  readonly at: number
  readonly to: number | null
}

/** Whether a change is still part of the content of its workspace: `unknown` if the log no longer says what a roll-back undid. */
export type ChangeState = 'applied' | 'undone' | 'unknown'

/**
 * Reads the roll-backs of a workspace. The content of an archive is that of the time when it was completed, because the workspace
 * does not change until then; that of the archive that a roll-back creates is the one before the roll-back.
 * @returns tells whether the change with a sequence is still applied
 */
export async function readRollBacks(
  read: Queries,
  workspaceId: string,
): Promise<(sequence: number) => ChangeState> {
  const entries = await read.all(changesByTarget, {
    workspaceId,
    targetId: workspaceId,
    action: 'workspaces.roll_back',
  })
  const rollBacks: RollBack[] = []
  const sequenceByArchive = new Map<unknown, number>()
  for (const { sequence, changes } of entries) {
    const { fromArchive, archiveId } = (changes === null ? null : parseChanges(changes).after) ?? {}
    const [created] =
      typeof fromArchive === 'string' && !sequenceByArchive.has(fromArchive)
        ? await read.all(sequencesByTarget, {
            workspaceId,
            targetId: fromArchive,
            action: 'archives.create',
          })
        : []
    rollBacks.push({ at: sequence, to: created?.sequence ?? sequenceByArchive.get(fromArchive) ?? null })
    if (archiveId !== undefined) sequenceByArchive.set(archiveId, sequence)
  }
  const newestFirst = rollBacks.toReversed()
  return (sequence) => {
    let end = Number.POSITIVE_INFINITY
    for (const { at, to } of newestFirst) {
      if (at >= end) continue
      if (sequence > at) break
      if (to === null) return 'unknown'
      end = to
    }
    return sequence < end ? 'applied' : 'undone'
  }
}

/** Whether a roll-back is changing a workspace, or has failed while it did: its content is neither the old nor the new one. */
export async function isPartlyRolledBack(read: Queries, workspaceId: string): Promise<boolean> {
  for (const { state, step } of await read.all(rollBackJobs, { workspaceId })) {
    if (state === 'succeeded') return false
    if (step === 'apply' || step === 'finish') return true
  }
  return false
}
