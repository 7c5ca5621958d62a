import type { Permission } from '@reeve/core'
import type { Job } from '../../../api/jobs.ts'
import { pluralize } from '../../../format/number.ts'

interface JobLabels {
  /** What it does: the name of its progress bar. */
  readonly title: string
  /** The job in a sentence: `the roll-back`. */
  readonly name: string
  /** The button that confirms to cancel it. */
  readonly stop: string
  /** What cancelling it leaves behind. */
  readonly afterCancel: string
  /** What its failure leaves behind, and what to do. */
  readonly afterFailure: string
  /** Required to start and to cancel it. */
  readonly permission: Permission
  readonly steps: Readonly<Record<string, string>>
}

const jobLabels: Readonly<Record<string, JobLabels>> = {
  archive: {
    title: 'Archiving this workspace',
    name: 'the archive',
    stop: 'Stop archiving',
    afterCancel: 'The workspace becomes active again, and the unfinished archive is deleted.',
    afterFailure: 'The workspace is active again: try again.',
    permission: 'workspace.archive',
    steps: { write: 'Writing the archive', checksum: 'Computing its checksum' },
  },
  copy: {
    title: 'Creating a workspace from an archive',
    name: 'the copy',
    stop: 'Stop copying',
    afterCancel: 'The new workspace is not created. This workspace and its archives do not change.',
    afterFailure: 'There is no new workspace: try again, or use another archive.',
    permission: 'workspace.restore',
    steps: {
      verify: 'Verifying the archive',
      copy: 'Copying the content',
      publish: 'Completing the new workspace',
    },
  },
  roll_back: {
    title: 'Rolling this workspace back',
    name: 'the roll-back',
    stop: 'Stop rolling back',
    afterCancel: 'The workspace stays archived, and its content does not change.',
    afterFailure: 'The workspace is still archived as it was: try again, use another archive, or restore it.',
    permission: 'workspace.restore',
    steps: {
      verify: 'Verifying the archive',
      write: 'Archiving the current content',
      checksum: 'Computing the checksum of the current content',
      compare: 'Comparing with the archive',
      apply: 'Applying the differences',
      finish: 'Completing the roll-back',
    },
  },
  download: {
    title: 'Preparing a download',
    name: 'the download',
    stop: 'Stop preparing',
    afterCancel: 'The archive does not change. You can prepare the download again.',
    afterFailure: 'Try again, or create another archive.',
    permission: 'workspace.archive',
    steps: { verify: 'Verifying the archive' },
  },
}

/** The texts of a job. */
export function getJobLabels({ kind }: Pick<Job, 'kind'>): JobLabels {
  const labels = jobLabels[kind]
  if (!labels) throw new Error(`unknown kind of job: ${kind}`)
  return labels
}

/** Steps of a roll-back that change the content of the workspace. */
const FINAL_STEPS: ReadonlySet<string> = new Set(['apply', 'finish'])

/** What it is doing: `Comparing with the archive`, or `Waiting for 1 other job`. */
export function describeStep(job: Job): string {
  if (job.state !== 'queued') return getJobLabels(job).steps[job.step] ?? 'Working'
  return job.jobsAhead === '0' ? 'Starting' : `Waiting for ${pluralize(job.jobsAhead, 'other job')}`
}

/** How much of it is done, in whole percent. */
export const toPercent = ({ progress }: Pick<Job, 'progress'>): number => Math.floor(Number(progress) * 100)

/** What failed and what to do. */
export function describeFailure(job: Job): string {
  const { afterFailure } = getJobLabels(job)
  const advice = FINAL_STEPS.has(job.step)
    ? 'Some content may have changed already. The workspace is still archived: roll it back again, to this archive or to the newest one, which has the content of before.'
    : afterFailure
  return `${job.error ?? 'The reason is unknown.'} ${advice}`
}

/** Why nothing else can be started while a job is unfinished. Null if there is none. */
export function explainWait(job: Job | null): string | null {
  if (job === null) return null
  return job.canBeCancelled === 'true'
    ? `Wait for ${getJobLabels(job).name} to finish, or cancel it.`
    : `Wait for ${getJobLabels(job).name} to finish.`
}
