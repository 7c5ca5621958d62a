import { AppError, wire } from '@reeve/core'
import type { WorkspaceTable } from '@reeve/db'

/** @throws AppError `conflict` if the workspace is going to be deleted, so that nobody starts to use it again by mistake */
export function assertNotPendingDeletion({ delete_at }: Pick<WorkspaceTable, 'delete_at'>): void {
  if (delete_at === null) return
  throw new AppError('conflict', {
    message: `This workspace will be deleted at ${wire.time.write(delete_at)}. Undo the deletion first.`,
  })
}
