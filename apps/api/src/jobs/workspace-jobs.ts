import type { WorkspaceLimits } from '@reeve/auth'
import { AppError, createFailureCollector, doWork, type Ports } from '@reeve/core'
import type { Database, WorkspaceJobTable } from '@reeve/db'
import {
  claimNextJob,
  deleteLeftovers,
  type JobDependencies,
  type JobOutcome,
  runJob,
} from '@reeve/workspaces'
import type { FinishedJob } from '../metrics/job-counts.ts'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

export interface WorkspaceJobOptions {
  readonly db: Database
  readonly ports: Ports
  readonly limits: WorkspaceLimits
  readonly pause: JobDependencies['pause']
  /** Receives the errors of jobs that failed, if they are not the caller's. */
  readonly onFailure: (error: unknown) => void
  readonly onFinished?: (job: FinishedJob) => void
}

/** Runs the jobs of workspaces: one at a time, whatever the number of processes. */
export interface WorkspaceJobRunner {
  /**
   * Runs jobs until none is left that this process can run. Concurrent calls share one run.
   * @throws AppError `unavailable` if the storage is not available for one of them, after those that follow; it continues with the next call
   */
  readonly drain: (signal: AbortSignal) => Promise<void>
}

export function createWorkspaceJobRunner(options: WorkspaceJobOptions): WorkspaceJobRunner {
  const { db, ports, limits, pause, onFailure, onFinished } = options
  const runner = crypto.randomUUID()
  let running: Promise<void> | null = null
  let isRequested = false

  const report = (outcome: JobOutcome) => {
    if (outcome.state !== 'succeeded' && outcome.state !== 'failed') return
    const { kind, started_at } = outcome.job
    onFinished?.({ kind, result: outcome.state, durationMs: ports.now() - (started_at ?? ports.now()) })
    if (outcome.state !== 'failed') return
    const { error } = outcome
    if (!(error instanceof AppError) || error.code === 'internal_error') onFailure(error)
  }

  async function runAll(signal: AbortSignal): Promise<void> {
    const failures = createFailureCollector()
    while (isRequested) {
      isRequested = false
      await failures.attempt(() =>
        doWork<WorkspaceJobTable>(signal, {
          findNext: (failed) => claimNextJob(db, ports, runner, failed?.id),
          run: async (job) => report(await runJob({ db, ports, limits, runner, signal, pause }, job)),
          describe: ({ id, workspace_id }) => `the job ${id} of workspace ${workspace_id}`,
        }),
      )
      await failures.attempt(() => deleteLeftovers(db, signal))
    }
    failures.throwFirst()
  }

  return {
    drain(signal) {
      isRequested = true
      running ??= runAll(signal).finally(() => {
        running = null
      })
      return running
    },
  }
}

/** Runs jobs as soon as a request queues or cancels one, and otherwise looks for some every few seconds. */
export function createWorkspaceJobsJob(options: WorkspaceJobOptions): Job {
  const runner = createWorkspaceJobRunner(options)
  return createChangeJob('workspace-jobs', options.db, 'workspace_job', runner.drain)
}
