import { type Actor, AppError, findStep, isCounted, type LadderStep, listPlayerKeys } from '@reeve/core'
import { type LadderTable, type Queries, type RecordTable, statement, type TemplateTable } from '@reeve/db'
import { parseSteps } from '../ladders/model.ts'
import { findLadder } from '../ladders/service.ts'
import { requireTemplate } from './store.ts'

const countedColumns = [
  'id',
  'case_number',
  'action',
  'template_id',
  'step',
  'created_at',
  'counts_until',
] as const

export type LadderRecord = Pick<RecordTable, (typeof countedColumns)[number]>

/** The newest records of a player in a ladder that are not revoked. */
const recordsOfLadder = statement<{ workspaceId: string; userId: string; ladderId: string; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_ladder'))
      .select(countedColumns)
      .where('workspace_id', '=', p.workspaceId)
      .where('user_id', '=', p.userId)
      .where('ladder_id', '=', p.ladderId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('case_number', 'desc')
      .limit(p.limit),
)

/** How many records of a player are examined: many more than the highest number that a step can have. */
const MAX_EXAMINED = 1000

/** What a ladder decides for a player. */
export interface LadderDecision {
  readonly ladder: LadderTable
  readonly step: LadderStep
  /** The number of the step, from 1. */
  readonly number: number
  /** The records that count, newest first. */
  readonly counted: readonly LadderRecord[]
}

/** What a template leads to for a player. */
export interface TemplateDecision {
  readonly template: TemplateTable
  /** Null for a template without a ladder. */
  readonly decision: LadderDecision | null
}

/**
 * Decides what a template leads to for a player now. The preview and the action both use it.
 * @param now epoch milliseconds
 * @throws AppError `not_found`, `conflict` if the template is archived
 */
export async function decideTemplate(
  db: Queries,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  { templateId, userId }: { readonly templateId: string; readonly userId: string },
  now: number,
): Promise<TemplateDecision> {
  const template = await requireTemplate(db, workspaceId, templateId)
  if (template.archived_at !== null)
    throw new AppError('conflict', {
      message: `The template ${template.name} is archived. Choose another one.`,
    })
  const ladder = template.ladder_id && (await findLadder(db, workspaceId, template.ladder_id))
  if (!ladder) return { template, decision: null }
  const counted: LadderRecord[] = []
  // One form of the id, unless the default platform of the workspace has changed.
  for (const key of listPlayerKeys(userId, platforms)) {
    const params = { workspaceId, userId: key, ladderId: ladder.id, limit: MAX_EXAMINED }
    const records = await db.all(recordsOfLadder, params)
    counted.push(...records.filter((row) => isCounted(toCountedRecord(row), ladder.window_days, now)))
  }
  counted.sort((one, other) => other.created_at - one.created_at || other.case_number - one.case_number)
  return { template, decision: { ladder, counted, ...findStep(parseSteps(ladder), counted.length) } }
}

export const toCountedRecord = (row: Pick<RecordTable, 'created_at' | 'counts_until'>) => ({
  createdAt: row.created_at,
  countsUntil: row.counts_until,
})
