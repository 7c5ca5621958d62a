import { type Queries, type Sql, sqlLiteral, statement } from '@reeve/db'
import { parseChanges } from '../changes.ts'

const entriesByTarget = (sql: Sql, p: { workspaceId: string; targetId: string; action: string }) =>
  sql
    .selectFrom('audit')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    .where('action', '=', p.action)
    .orderBy('sequence')

const sequencesByTarget = statement<{ workspaceId: string; targetId: string; action: string }>()((sql, p) =>
  entriesByTarget(sql, p).select('sequence'),
)
const changesByTarget = statement<{ workspaceId: string; targetId: string; action: string }>()((sql, p) =>
  entriesByTarget(sql, p).select(['sequence', 'changes']),
)

/** The steps of roll-backs that are changing their workspace, or failed while they did. */
const rollBackJobs = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select(['state', 'step'])
    .where('workspace_id', '=', p.workspaceId)
    .where('kind', '=', sqlLiteral('roll_back'))
    .orderBy('id', 'desc'),
)

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
