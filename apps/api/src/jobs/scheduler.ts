import { MINUTE_MS } from '@reeve/core'

/** Thrown by a run that has logged why it failed. */
export class LoggedJobFailure extends Error {}

/** A background job of a server. */
export interface Job {
  readonly name: string
  /** Milliseconds from the end of a run to the next one; for a job that runs on one process, between successful claims. */
  readonly intervalMs: number
  /** `one`: a lease in table `job` chooses one of all processes over a database. `each`: every process runs it. */
  readonly runsOn: 'one' | 'each'
  /** The first run does not wait for the interval. */
  readonly startsAtOnce?: true
  /** It deletes what cannot be restored, so it waits if the clock may be ahead. Only for a job that runs on one process. */
  readonly deletesForGood?: true
  /** @param signal aborts at shutdown, which waits for the run to settle */
  readonly run: (signal: AbortSignal) => Promise<void>
  /**
   * Overrides the delay before the next run, in milliseconds: read at startup and after every run. After a failed run it is at
   * least `MIN_RETRY_MS`, or `intervalMs` where that is shorter.
   */
  readonly getDelayMs?: () => number
}

/** Claims a run of a job that runs on one process. @returns false if the job is not due */
export type ClaimJob = (job: Job) => Promise<boolean>

/** Calls back once after some milliseconds. @returns cancels the timer */
export type StartTimer = (callback: () => void, delayMs: number) => () => void

export interface SchedulerOptions {
  readonly claim: ClaimJob
  /** Receives every error of a run or a claim that is not logged yet. The job stays scheduled. */
  readonly onFailure: (job: Job, error: unknown) => void
  /** Called after every run, and after a claim that failed. */
  readonly onEnd?: (job: Job, result: 'succeeded' | 'failed') => void
  /** Replaced in tests. */
  readonly startTimer?: StartTimer
}

export interface Scheduler {
  /** Starts no further run, aborts the signal of the runs in progress, and waits for them to settle. */
  readonly stop: () => Promise<void>
}

/** How often each process tries to claim a job, and so the longest delay after the process that ran it last has exited. */
const CLAIM_INTERVAL_MS = 5 * MINUTE_MS

/** How long a job waits after a failed run. */
const MIN_RETRY_MS = 5000

const startRealTimer: StartTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** Runs each job repeatedly. Runs of one job never overlap, because a timer starts only after the previous run has ended. */
export function startScheduler(jobs: readonly Job[], options: SchedulerOptions): Scheduler {
  const { claim, onFailure, onEnd, startTimer = startRealTimer } = options
  const shutdown = new AbortController()
  const cancelTimers = new Map<Job, () => void>()
  const runs = new Map<Job, Promise<void>>()

  const runAndReschedule = async (job: Job) => {
    let minDelayMs = 0
    try {
      if (await runJob(job, claim, shutdown.signal)) onEnd?.(job, 'succeeded')
    } catch (error) {
      if (!(error instanceof LoggedJobFailure)) onFailure(job, error)
      onEnd?.(job, 'failed')
      // A job that runs all the time would fail thousands of times per second while the database is not available.
      minDelayMs = Math.min(job.intervalMs, MIN_RETRY_MS)
    }
    scheduleNext(job, Math.max(minDelayMs, toDelayMs(job)))
  }
  const scheduleNext = (job: Job, delayMs: number) => {
    if (shutdown.signal.aborted) return
    const start = () => {
      runs.set(job, runAndReschedule(job))
    }
    cancelTimers.set(job, startTimer(start, delayMs))
  }
  for (const job of jobs) scheduleNext(job, job.startsAtOnce ? 0 : toDelayMs(job))

  return {
    async stop() {
      shutdown.abort()
      for (const cancel of cancelTimers.values()) cancel()
      await Promise.all(runs.values())
    },
  }
}

/**
 * Runs a job once, unless it runs on one process and is not due.
 * @returns whether it ran
 */
export async function runJob(job: Job, claim: ClaimJob, signal: AbortSignal): Promise<boolean> {
  if (job.runsOn === 'one' && !(await claim(job))) return false
  await job.run(signal)
  return true
}

function toDelayMs({ runsOn, intervalMs, getDelayMs }: Job): number {
  if (getDelayMs) return getDelayMs()
  return runsOn === 'one' ? Math.min(intervalMs, CLAIM_INTERVAL_MS) : intervalMs
}
