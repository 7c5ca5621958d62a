import { wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { requireWorkspace } from '@reeve/workspaces'
import { required } from '../command-line/command.ts'
import { withNotFoundHint } from './not-found-hint.ts'

/** The workspace that a command applies to. */
export const workspaceOption = required(
  '<id>',
  'the ID of the workspace, as listed by `reeve workspace list`',
  wire.id,
)

/** @throws AppError `not_found` with a hint at the command that lists workspaces */
export async function assertWorkspaceExists(db: Queries, workspaceId: string): Promise<void> {
  await withNotFoundHint(
    requireWorkspace(db, workspaceId),
    `There is no workspace ${workspaceId}. Run \`reeve workspace list\` to list the workspaces.`,
  )
}
