import { type WorkspaceJobKind, workspaceJobKinds } from '@reeve/db'
import type { Sample } from './format.ts'
import { createHistogram, observe } from './histogram.ts'

/** Upper bounds of the duration of jobs of workspaces, in seconds. */
const DURATION_BOUNDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]

/** How a run of a job ended. */
export type JobResult = 'succeeded' | 'failed'

const results: readonly JobResult[] = ['succeeded', 'failed']

/** A job of a workspace that has ended in this process. */
export interface FinishedJob {
  readonly kind: WorkspaceJobKind
  readonly result: JobResult
  readonly durationMs: number
}

/** Receives the jobs of a server and how they ended. */
export interface JobObserver {
  /** Receives the jobs before their first run, so that the first failure of each is an increase from zero. */
  readonly onJobsScheduled: (jobs: readonly { readonly name: string; readonly intervalMs: number }[]) => void
  readonly onJobRun: (name: string, result: JobResult) => void
  readonly onWorkspaceJobFinished: (job: FinishedJob) => void
  readonly onDeliveryAttempt: (attempt: { readonly isSuccess: boolean }) => void
}

/** The runs of a scheduled job in this process. Times are epoch milliseconds. */
interface ScheduledJob {
  readonly intervalMs: number
  readonly runs: Record<JobResult, number>
  lastSuccessAt: number | null
}

/** Counts the runs of scheduled jobs and the finished jobs of workspaces. */
export function createJobCounts(now: () => number) {
  const scheduled = new Map<string, ScheduledJob>()
  const finished = workspaceJobKinds.flatMap((kind) =>
    results.map((result) => ({ kind, result, durations: createHistogram(DURATION_BOUNDS) })),
  )

  let failedDeliveries = 0

  const observer: JobObserver = {
    onJobsScheduled(jobs) {
      for (const { name, intervalMs } of jobs)
        scheduled.set(name, { intervalMs, runs: { succeeded: 0, failed: 0 }, lastSuccessAt: null })
    },
    onJobRun(name, result) {
      const job = scheduled.get(name)
      if (!job) return
      job.runs[result] += 1
      if (result === 'succeeded') job.lastSuccessAt = now()
    },
    onWorkspaceJobFinished({ kind, result, durationMs }) {
      const series = finished.find((one) => one.kind === kind && one.result === result)
      if (series) observe(series.durations, durationMs / 1000)
    },
    onDeliveryAttempt({ isSuccess }) {
      if (!isSuccess) failedDeliveries += 1
    },
  }

  const listSamples = (): Sample[] => [
    ...[...scheduled].flatMap(([name, job]) => presentScheduledJob(name, job)),
    ...finished.map(({ kind, result, durations }) => ({
      name: 'reeve_workspace_job_duration_seconds' as const,
      labels: { kind, result },
      value: durations,
    })),
    { name: 'reeve_deliveries_failed_total', value: failedDeliveries },
  ]

  return { observer, listSamples }
}

/** The label is not `job`, which Prometheus sets itself. */
const presentScheduledJob = (
  jobName: string,
  { intervalMs, runs, lastSuccessAt }: ScheduledJob,
): Sample[] => [
  { name: 'reeve_job_interval_seconds', labels: { job_name: jobName }, value: intervalMs / 1000 },
  ...results.map((result) => ({
    name: 'reeve_job_runs_total' as const,
    labels: { job_name: jobName, result },
    value: runs[result],
  })),
  ...(lastSuccessAt === null
    ? []
    : [
        {
          name: 'reeve_job_last_success_timestamp_seconds' as const,
          labels: { job_name: jobName },
          value: lastSuccessAt / 1000,
        },
      ]),
]
