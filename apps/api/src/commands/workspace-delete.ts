import { AppError } from '@reeve/core'
import { requestDeletion, requireWorkspace, undoDeletion } from '@reeve/workspaces'
import { cliActor, instanceCommand, switchOption } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const deleteWorkspaceCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    yes: switchOption('confirm: everything in the workspace is deleted after 30 days'),
  },
  async run({ db, ports }, { workspace: id, yes }) {
    await assertWorkspaceExists(db.read, id)
    return db.write(async (tx) => {
      const { group_name: groupName } = await requireWorkspace(tx, id)
      if (!yes) throw confirmationRequired(groupName)
      return requestDeletion(tx, ports, cliActor(ports, id), { groupName })
    })
  },
  print: ({ workspace: { id, groupName, deleteAt } }) =>
    `${groupName} and everything in it will be deleted at ${deleteAt}. Until then, \`reeve workspace undelete --workspace ${id}\` undoes this.`,
})

export const undeleteWorkspaceCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) => undoDeletion(tx, ports, cliActor(ports, workspace)))
  },
  print: ({ workspace: { groupName } }) => `${groupName} will not be deleted. It is still archived.`,
})

const confirmationRequired = (groupName: string) =>
  new AppError('invalid_request', {
    message:
      `Everything in ${groupName} would be deleted after 30 days: cases, events, images, archives, members, API keys and the audit ` +
      'log. Repeat the command with --yes.',
  })
