import { listAllWorkspaces } from '@reeve/workspaces'
import { formatTable, instanceCommand } from '../command-line/command.ts'

export const listWorkspacesCommand = instanceCommand({
  options: {},
  run: ({ db }) => listAllWorkspaces(db.read),
  print: ({ workspaces }) =>
    formatTable(
      ['ID', 'GROUP', 'OWNER', 'STATUS', 'DELETED AT', 'MONTHLY QUOTA', 'CREATED'],
      workspaces.map((workspace) => [
        workspace.id,
        workspace.groupName,
        workspace.owner,
        workspace.status,
        workspace.deleteAt ?? 'never',
        workspace.monthlyQuota ?? 'none',
        workspace.createdAt,
      ]),
    ),
})
