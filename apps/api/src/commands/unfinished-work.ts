import { AppError } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findUnfinishedImport } from '@reeve/moderation'
import { findUnfinishedJob, formatJobName } from '@reeve/workspaces'

/**
 * Checks that no import of a workspace is unfinished. The error names the commands that help, because no server may be running that
 * continues it.
 * @param consequence begins the error: why the command cannot run meanwhile
 * @throws AppError `conflict`
 */
export async function assertNoUnfinishedImport(
  db: Queries,
  workspace: string,
  consequence = '',
): Promise<void> {
  const unfinished = await findUnfinishedImport(db, workspace)
  if (!unfinished) return
  const { id, file_name: fileName, state } = unfinished
  const cancel = `\`reeve import cancel --workspace ${workspace} --id ${id}\``
  throw new AppError('conflict', {
    message:
      consequence +
      (state === 'receiving'
        ? `The file ${fileName} of another import was not sent completely. If nobody is sending it any more, cancel that import: ${cancel}.`
        : `The import of ${fileName} is not finished. The server continues it while it runs: wait for it. Or cancel it (${cancel}), and ` +
          'import the file again: what was imported stays, and is not imported twice.'),
  })
}

const ERASURE_WAITS = 'No player of this workspace can be erased yet, because the player could come back. '

/** Checks that nothing is unfinished that could bring an erased player back. @throws AppError `conflict` with the commands that help */
export async function assertNothingDelaysErasure(db: Queries, workspace: string): Promise<void> {
  await assertNoUnfinishedImport(db, workspace, ERASURE_WAITS)
  const job = await findUnfinishedJob(db, workspace)
  if (!job) return
  throw new AppError('conflict', {
    message:
      `${ERASURE_WAITS}A job of it is not finished: ${formatJobName(job)}. The server continues it while it runs: wait for it. Or ` +
      `cancel it: \`reeve job cancel --id ${job.id}\`.`,
  })
}
