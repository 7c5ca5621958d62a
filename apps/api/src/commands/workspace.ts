import { AppError, wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { allWorkspaces, workspaceOf } from '@reeve/workspaces'
import { onInstance, required, table } from './command.ts'

/** The option that names a workspace. */
export const workspaceOption = required('<id>', 'the workspace; `reeve workspace list` shows them', wire.id)

/** @throws AppError `not_found` that says where to look */
export async function needWorkspace(db: Queries, workspaceId: string): Promise<void> {
  try {
    await workspaceOf(db, workspaceId)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError('not_found', {
      message: `There is no workspace ${workspaceId}; \`reeve workspace list\` shows them.`,
    })
  }
}

export const listWorkspaces = onInstance({
  options: {},
  run: ({ db }) => allWorkspaces(db.read),
  print: ({ workspaces }) =>
    table(
      ['ID', 'GROUP', 'OWNER', 'STATUS', 'MONTHLY QUOTA', 'CREATED'],
      workspaces.map((one) => [
        one.id,
        one.groupName,
        one.owner,
        one.status,
        one.monthlyQuota ?? 'none',
        one.createdAt,
      ]),
    ),
})
