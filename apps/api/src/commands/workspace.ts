import { AppError, wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { listAllWorkspaces, requireWorkspace } from '@reeve/workspaces'
import { formatTable, instanceCommand, required } from './command.ts'

/** The option that names a workspace. */
export const workspaceOption = required('<id>', 'the workspace; `reeve workspace list` shows them', wire.id)

/** @throws AppError `not_found` that says where to look */
export async function assertWorkspaceExists(db: Queries, workspaceId: string): Promise<void> {
  try {
    await requireWorkspace(db, workspaceId)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError('not_found', {
      message: `There is no workspace ${workspaceId}; \`reeve workspace list\` shows them.`,
    })
  }
}

export const listWorkspacesCommand = instanceCommand({
  options: {},
  run: ({ db }) => listAllWorkspaces(db.read),
  print: ({ workspaces }) =>
    formatTable(
      ['ID', 'GROUP', 'OWNER', 'STATUS', 'MONTHLY QUOTA', 'CREATED'],
      workspaces.map((workspace) => [
        workspace.id,
        workspace.groupName,
        workspace.owner,
        workspace.status,
        workspace.monthlyQuota ?? 'none',
        workspace.createdAt,
      ]),
    ),
})
