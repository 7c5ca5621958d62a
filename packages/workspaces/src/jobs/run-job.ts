import { parseActor } from '@reeve/auth'
import { AppError, hasErrorCode, UNEXPECTED_ERROR } from '@reeve/core'
import type { WorkspaceJobTable } from '@reeve/db'
import { requireWorkspace } from '../workspace-store.ts'
import { applyChanges } from './apply.ts'
import { completeArchive, verifyArchive } from './checksum.ts'
import { compareContent } from './compare.ts'
import { copyContent, publishCopy } from './copy.ts'
import { endJob } from './end-job.ts'
import { finishRollBack } from './finish-roll-back.ts'
import {
  createJobContext,
  type JobContext,
  type JobDependencies,
  JobStopped,
  type RunStep,
} from './job-context.ts'
import { type JobStep, nextStep } from './job-rules.ts'
import { releaseClaim, saveJob } from './job-store.ts'
import { writeArchive } from './write-archive.ts'

const runSteps: Readonly<Record<JobStep, RunStep>> = {
  write: writeArchive,
  checksum: completeArchive,
  verify: verifyArchive,
  copy: copyContent,
  publish: publishCopy,
  compare: compareContent,
  apply: applyChanges,
  finish: finishRollBack,
}

/** How a turn of a job ended in this process. */
export type JobOutcome =
  | { readonly state: 'succeeded'; readonly job: WorkspaceJobTable }
  | { readonly state: 'failed'; readonly job: WorkspaceJobTable; readonly error: unknown }
  /** It was cancelled, or another process continues it. */
  | { readonly state: 'stopped' }

/**
 * Runs a job that this process has claimed, from where it was interrupted. Errors of its steps are its outcome.
 * @throws AppError `unavailable` if the storage is not available; the job continues with the next call
 */
export async function runJob(dependencies: JobDependencies, claimed: WorkspaceJobTable): Promise<JobOutcome> {
  const { db, runner } = dependencies
  const context = createJobContext(dependencies, claimed)
  try {
    await runRemainingSteps(context)
    return { state: 'succeeded', job: context.job }
  } catch (error) {
    if (error instanceof JobStopped) {
      await releaseClaim(db, claimed, runner)
      return { state: 'stopped' }
    }
    if (hasErrorCode(error, 'unavailable')) throw error
    await failJob(context, runner, error)
    return { state: 'failed', job: context.job, error }
  }
}

async function runRemainingSteps(context: JobContext): Promise<void> {
  const { ports } = context
  for (;;) {
    const { job } = context
    const finishStep = await runSteps[job.step as JobStep](context)
    const next = nextStep(job)
    await context.save(
      next === null
        ? { state: 'succeeded', finished_at: ports.now() }
        : { step: next, position: null, done: 0, total: 0 },
      async (tx) => finishStep?.(tx),
    )
    if (next === null) return
  }
}

/** Does nothing if another process continues the job. */
async function failJob({ db, ports, job }: JobContext, runner: string, error: unknown): Promise<void> {
  const message = error instanceof AppError ? error.message : UNEXPECTED_ERROR
  await db.write(async (tx) => {
    // Locks the workspace before the job, like everything that changes both.
    await requireWorkspace(tx, job.workspace_id)
    if (await saveJob(tx, ports, job, runner))
      await endJob(tx, ports, parseActor(job), job, 'failed', message)
  })
}
