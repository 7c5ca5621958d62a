import { insertAll, statement, type Transaction, type WorkspaceJobRowTable } from '@reeve/db'
import { content } from '../archive/content.ts'
import type { Row } from '../archive/content-statements.ts'
import { toCurrentRow } from '../archive/convert-rows.ts'
import type { JobContext } from './job-context.ts'

interface JobKey {
  readonly workspaceId: string
  readonly jobId: string
}

/** Stores a change that a roll-back has found. */
export const insertStagedRow = statement<WorkspaceJobRowTable>()((sql, p) =>
  insertAll(sql, 'workspace_job_row', p),
)

/** The next changes of a kind: those of one player in succession. */
export const stagedRows = statement<JobKey & { kind: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_job_row')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .where('kind', '=', p.kind)
    .orderBy('user_id')
    .orderBy('number')
    .limit(p.limit),
)

/** The changes of a kind, in the order in which they were found. */
const stagedRowsAfter = statement<JobKey & { kind: string; after: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_job_row')
    .select(['number', 'data'])
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .where('kind', '=', p.kind)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.limit),
)

/** Which of these records or appeals have a change that inserts or replaces them. */
export const stagedTargets = statement<JobKey & { ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('workspace_job_row')
    .select('target_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .where(dialect.inList('target_id', p.ids))
    .where('data', 'is not', null),
)

/** The number of the last change. */
export const lastStagedNumber = statement<JobKey>()((sql, p) =>
  sql
    .selectFrom('workspace_job_row')
    .select('number')
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .orderBy('number', 'desc')
    .limit(1),
)

/** Deletes changes that have been applied. */
export const deleteStagedRows = statement<JobKey & { numbers: readonly number[] }>()((sql, p, dialect) =>
  sql
    .deleteFrom('workspace_job_row')
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .where(dialect.inList('number', p.numbers)),
)

/**
 * The kinds of changes besides those of an archive: of records that are a sanction in force before or after the roll-back.
 */
export const SANCTIONS_KIND = 'sanctions'

/** Applies changes of one kind. */
export type ApplyRows = (
  tx: Transaction,
  workspaceId: string,
  rows: readonly WorkspaceJobRowTable[],
  now: number,
) => Promise<void>

export const toTargetId = ({ target_id }: WorkspaceJobRowTable): string => String(target_id)

/** Reads an archived row, which an earlier version may have staged. */
export const parseData = ({ kind, data }: WorkspaceJobRowTable): Row =>
  toCurrentRow(kind === SANCTIONS_KIND ? content.record.kind : kind, JSON.parse(String(data)))

const PAGE_ROWS = 500

/** The archived rows of a kind, in their order. */
export async function readStagedRows({ db, job }: JobContext, kind: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = -1; ; ) {
    const key = { workspaceId: job.workspace_id, jobId: job.id, kind }
    const page = await db.read.all(stagedRowsAfter, { ...key, after, limit: PAGE_ROWS })
    rows.push(...page.map(({ data }) => JSON.parse(String(data)) as Row))
    const last = page.at(-1)
    if (page.length < PAGE_ROWS || !last) return rows
    after = last.number
  }
}
