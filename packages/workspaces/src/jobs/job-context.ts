import type { WorkspaceLimits } from '@reeve/auth'
import type { Ports } from '@reeve/core'
import type { Database, Transaction, WorkspaceJobTable } from '@reeve/db'
import type { JobStep } from './job-rules.ts'
import { announceJob, saveJob } from './job-store.ts'

/** The job was cancelled, belongs to another process, or this process is stopping. */
export class JobStopped extends Error {}

/** What the steps of a job work with. */
export interface JobDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly limits: WorkspaceLimits
  /** Names this process. */
  readonly runner: string
  /** Aborted at shutdown: the job stops after the current transaction. */
  readonly signal: AbortSignal
  /** Lets requests go first, between the transactions of a job. @param workedMs how long it has worked since the last pause */
  readonly pause: (workedMs: number) => Promise<void>
}

/** What a step saves together with its changes. `position` is where it continues after an interruption. */
export type JobProgress = Partial<
  Pick<WorkspaceJobTable, 'done' | 'total' | 'state' | 'finished_at' | 'has_staged_rows'>
> & { readonly step?: JobStep; readonly position?: unknown }

export interface JobContext extends Omit<JobDependencies, 'runner' | 'pause'> {
  /** The job as this process has saved it last. */
  readonly job: WorkspaceJobTable
  /** Where the current step continues; null at its beginning. */
  readonly readPosition: <Position>() => Position | null
  /**
   * Commits changes of a step together with its progress, so that an interruption neither loses nor repeats them.
   * @throws JobStopped before the commit
   */
  readonly save: (progress: JobProgress, unit?: (tx: Transaction) => Promise<unknown>) => Promise<void>
}

/** A step. @returns the changes to commit together with the transition to the next step */
export type RunStep = (context: JobContext) => Promise<((tx: Transaction) => Promise<unknown>) | null>

/** How often the progress of a job is announced at most. */
const ANNOUNCE_MS = 500

/** Runs the steps of a job from where it was interrupted. */
export function createJobContext(dependencies: JobDependencies, claimed: WorkspaceJobTable): JobContext {
  const { db, ports, limits, runner, signal, pause } = dependencies
  let job = claimed
  let announcedAt = performance.now()
  let resumedAt = announcedAt
  return {
    db,
    ports,
    limits,
    signal,
    get job() {
      return job
    },
    readPosition: <Position>() => (job.position === null ? null : (JSON.parse(job.position) as Position)),
    async save({ position, ...progress }, unit) {
      if (signal.aborted) throw new JobStopped()
      const saved = {
        ...job,
        ...progress,
        ...(position !== undefined && { position: position === null ? null : JSON.stringify(position) }),
      }
      const isDue =
        saved.step !== job.step || saved.state !== job.state || performance.now() - announcedAt >= ANNOUNCE_MS
      await db.write(async (tx) => {
        await unit?.(tx)
        // Last, because it locks the row of the job, and a cancellation locks it after the workspace.
        if (!(await saveJob(tx, ports, saved, runner))) throw new JobStopped()
        if (isDue) announceJob(tx, saved)
      })
      job = saved
      if (isDue) announcedAt = performance.now()
      await pause(performance.now() - resumedAt)
      resumedAt = performance.now()
    },
  }
}
