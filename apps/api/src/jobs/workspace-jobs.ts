import type { WorkspaceLimits } from '@reeve/auth'
import { AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
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
  /** Runs jobs until none is left that this process can run. Concurrent calls share one run. */
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
    while (isRequested && !signal.aborted) {
      isRequested = false
      const job = await claimNextJob(db, ports, runner)
      if (!job) {
        await deleteLeftovers(db, signal)
        continue
      }
      const outcome = await runJob({ db, ports, limits, runner, signal, pause }, job)
      report(outcome)
      if (outcome.state === 'postponed') return
      isRequested = true
    }
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
