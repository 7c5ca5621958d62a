import { AppError } from '@reeve/core'
import type { Queries, WorkspaceJobTable } from '@reeve/db'
import { findJobById } from '@reeve/workspaces'

/** @throws AppError `not_found` with a hint at the command that lists jobs */
export async function requireJobById(db: Queries, id: string): Promise<WorkspaceJobTable> {
  const job = await findJobById(db, id)
  if (job) return job
  throw new AppError('not_found', {
    message: `There is no job ${id}. Run \`reeve job list\` to list the jobs.`,
  })
}
