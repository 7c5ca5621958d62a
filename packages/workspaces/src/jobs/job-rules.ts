import type { WorkspaceJobKind, WorkspaceJobTable } from '@reeve/db'

/** The steps of each kind of job, in their order. */
export const jobSteps = {
  archive: ['write', 'checksum'],
  copy: ['verify', 'copy', 'publish'],
  roll_back: ['verify', 'write', 'checksum', 'compare', 'apply', 'finish'],
  download: ['verify'],
} as const satisfies Record<WorkspaceJobKind, readonly string[]>

export type JobStep = (typeof jobSteps)[WorkspaceJobKind][number]

/** Steps that change the content of the workspace: there is no way back from them. */
const FINAL_STEPS: ReadonlySet<string> = new Set(['apply', 'finish'] satisfies JobStep[])

/** The step after this one; null after the last. */
export function nextStep({ kind, step }: Pick<WorkspaceJobTable, 'kind' | 'step'>): JobStep | null {
  const steps: readonly JobStep[] = jobSteps[kind]
  return steps[steps.indexOf(step as JobStep) + 1] ?? null
}

export const isFinished = ({ finished_at }: Pick<WorkspaceJobTable, 'finished_at'>): boolean =>
  finished_at !== null

/** Whether the job has begun to change the content of its workspace. */
export const hasBegunChanges = ({ step }: Pick<WorkspaceJobTable, 'step'>): boolean => FINAL_STEPS.has(step)

export const canBeCancelled = (job: WorkspaceJobTable): boolean => !isFinished(job) && !hasBegunChanges(job)

/** How much of the job is done, from 0 to 1. Every step counts the same. */
export function computeProgress({ kind, state, step, done, total }: WorkspaceJobTable): number {
  if (state === 'succeeded') return 1
  const steps: readonly string[] = jobSteps[kind]
  const stepProgress = total === 0 ? 0 : Math.min(1, done / total)
  return (Math.max(0, steps.indexOf(step)) + stepProgress) / steps.length
}

const jobNames: Readonly<Record<WorkspaceJobKind, string>> = {
  archive: 'archive',
  copy: 'copy of an archive',
  roll_back: 'roll-back',
  download: 'download of an archive',
}

/** The kind of a job in a message. */
export const formatJobName = ({ kind }: Pick<WorkspaceJobTable, 'kind'>): string => jobNames[kind]
