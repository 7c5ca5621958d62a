import type { Settings } from '@reeve/auth'
import { serializeActor } from '@reeve/auth'
import { type Actor, AppError, DAY_MS, formatRetryAfter, type Ports } from '@reeve/core'
import { statement, type Transaction, type WorkspaceJobKind, type WorkspaceJobTable } from '@reeve/db'
import { jobSteps } from './job-rules.ts'
import { assertNoUnfinishedJob, insertJob } from './job-store.ts'

const startsSince = statement<{ workspaceId: string; since: number; now: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('workspace_job')
      .select('created_at')
      .where('workspace_id', '=', p.workspaceId)
      .where('created_at', '>', p.since)
      // A clock that was set back leaves jobs in the future, which must not keep the workspace from starting others.
      .where('created_at', '<=', p.now)
      .orderBy('id', 'desc')
      .limit(p.limit),
)

const unfinishedErasure = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)

/** What starting a job needs besides the transaction. */
export interface JobPorts {
  readonly ports: Ports
  readonly settings: Pick<Settings, 'workspaceJobsPerDay'>
}

type NewJob = { readonly kind: WorkspaceJobKind; readonly workspaceId: string } & Partial<
  Pick<WorkspaceJobTable, 'id' | 'group_name' | 'archive_id' | 'new_archive_id' | 'new_workspace_id'>
>

/**
 * Checks that a workspace may start a job now.
 * @throws AppError `conflict` if one is unfinished, or the erasure of a player, whom a roll-back could bring back; `rate_limited` at the daily limit
 */
export async function assertCanStartJob(
  tx: Transaction,
  { ports, settings }: JobPorts,
  workspaceId: string,
): Promise<void> {
  await assertNoUnfinishedJob(tx, workspaceId)
  if (await tx.first(unfinishedErasure, { workspaceId }))
    throw new AppError('conflict', { message: 'A player is being erased. Wait until that is complete.' })
  const limit = settings.workspaceJobsPerDay
  if (limit === 0) return
  const now = ports.now()
  const starts = await tx.all(startsSince, { workspaceId, since: now - DAY_MS, now, limit })
  const oldest = starts.at(-1)
  if (starts.length < limit || !oldest) return
  const retryAfter = Math.max(1, Math.ceil((oldest.created_at + DAY_MS - now) / 1000))
  throw new AppError('rate_limited', {
    message:
      `This workspace has started ${limit} ${limit === 1 ? 'job' : 'jobs'} in the last 24 hours, which is the limit for ` +
      `archives, copies, roll-backs and downloads together. ${formatRetryAfter(retryAfter)} An operator of this instance ` +
      'can raise the limit (REEVE_WORKSPACE_JOBS_PER_DAY).',
    headers: { 'retry-after': String(retryAfter) },
  })
}

/** Queues a job. Call `assertCanStartJob` before. */
export async function startJob(
  tx: Transaction,
  { ports }: JobPorts,
  actor: Actor,
  { kind, workspaceId, ...fields }: NewJob,
): Promise<WorkspaceJobTable> {
  const job: WorkspaceJobTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    kind,
    state: 'queued',
    step: jobSteps[kind][0],
    done: 0,
    total: 0,
    position: null,
    actor: serializeActor(actor),
    group_name: null,
    archive_id: null,
    new_archive_id: null,
    new_workspace_id: null,
    error: null,
    has_staged_rows: 0,
    runner: null,
    heartbeat_at: null,
    created_at: ports.now(),
    started_at: null,
    finished_at: null,
    ...fields,
  }
  await insertJob(tx, job)
  return job
}
