import type { Job } from '@reeve/workspaces'

const BAR_WIDTH = 30

/** The progress of a job in percent, rounded down. */
export const formatProgress = ({ progress }: Pick<Job, 'progress'>): string =>
  `${Math.floor(Number(progress) * 100)} %`

/** A progress bar: `[######....] 60 %`. */
function formatProgressBar(job: Pick<Job, 'progress'>): string {
  const filled = Math.floor(Number(job.progress) * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${formatProgress(job)}`
}

/** A job on one line: what it does, its state and its progress, and why it failed. */
export function formatJob(job: Job): string {
  const ahead = job.state === 'queued' && job.jobsAhead !== '0' ? `, ${job.jobsAhead} ahead` : ''
  const step = job.state === 'running' ? ` (${job.step})` : ''
  const error = job.error === null ? '' : `: ${job.error}`
  return `${job.kind} ${formatProgressBar(job)} ${job.state}${step}${ahead}${error}`
}
