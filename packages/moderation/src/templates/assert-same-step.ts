import { type Actor, AppError, findStep, isCounted } from '@reeve/core'
import { type Queries, type RecordTable, statement, type TemplateTable } from '@reeve/db'
import { parseSteps } from '../ladders/model.ts'
import { changedMeanwhile } from '../records/assert-replaces.ts'
import { readChangedRecords } from '../records/changed-since.ts'
import type { TemplateChange } from '../records/parse-change.ts'
import { type LadderDecision, toCountedRecord } from './decide.ts'

/** What changes the step of every player: a roll-back also removes records, and nothing is left that says whose. */
const COMMON_CAUSES = ['ladders.update', 'templates.update', 'workspaces.roll_back'] as const

const commonCauses = statement<{
  workspaceId: string
  targetIds: readonly string[]
  after: number
  actions: readonly string[]
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('audit', 'audit_by_target'))
    .select('action')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('target_id', p.targetIds))
    .where('sequence', '>', p.after)
    .where(dialect.inList('action', p.actions))
    .orderBy('sequence', 'desc')
    .limit(1),
)

interface SteppedTemplate {
  readonly template: TemplateTable
  readonly decision: LadderDecision
}

/**
 * Asserts that a ladder decides the step for a player that it had when a batch was previewed.
 * @param now epoch milliseconds
 * @throws AppError `conflict` naming the case that has changed the step, or what has changed it for every player
 */
export async function assertSameStep(
  db: Queries,
  actor: Actor,
  { userId, seenSequence }: Pick<TemplateChange, 'userId' | 'seenSequence'>,
  { template, decision }: SteppedTemplate,
  now: number,
): Promise<void> {
  if (seenSequence === undefined) return
  const { ladder, number } = decision
  const cause = await findCommonCause(db, actor, { template, decision }, seenSequence)
  if (cause !== null)
    throw new AppError('conflict', {
      message: `In the meantime, ${cause}. Nothing was done: preview the batch again.`,
    })
  const changed = readChangedRecords(
    db,
    actor,
    { userId, seenSequence },
    (row) => row.ladder_id === ladder.id,
  )
  let count = decision.counted.length
  let newest: RecordTable | null = null
  for await (const { record, seen } of changed) {
    const isNow = decision.counted.some(({ id }) => id === record.id)
    const wasSeen =
      seen !== null && seen.revoked_at === null && isCounted(toCountedRecord(seen), ladder.window_days, now)
    if (isNow === wasSeen) continue
    count += wasSeen ? 1 : -1
    newest ??= record
  }
  const seenStep = findStep(parseSteps(ladder), count)
  if (newest === null || seenStep.number === number) return
  throw changedMeanwhile(
    `the step of this player in the ladder ${ladder.name} has changed from ${seenStep.number} to ${number}`,
    actor,
    newest,
  )
}

/** What has changed the steps of all players since a preview, as the part of a sentence; null for nothing. */
async function findCommonCause(
  db: Queries,
  { workspaceId }: Actor,
  { template, decision: { ladder } }: SteppedTemplate,
  after: number,
): Promise<string | null> {
  const targetIds = [workspaceId, template.id, ladder.id]
  const entry = await db.first(commonCauses, { workspaceId, targetIds, after, actions: COMMON_CAUSES })
  if (!entry) return null
  if (entry.action === 'workspaces.roll_back') return 'the workspace was rolled back'
  return entry.action === 'ladders.update'
    ? `the ladder ${ladder.name} was changed`
    : `the template ${template.name} was changed`
}
