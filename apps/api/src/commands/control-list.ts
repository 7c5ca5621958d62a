import { listControlsWithUsernames } from '@reeve/endpoint-controls'
import { cliActor, formatTable, instanceCommand } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const listControlsCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    return listControlsWithUsernames(db.read, cliActor(ports, workspace))
  },
  print: ({ controls }) =>
    formatTable(
      ['ENDPOINT', 'MODE', 'CHANGED', 'BY', 'MESSAGE'],
      controls.map((control) => [
        control.endpoint,
        control.mode,
        control.updatedAt ?? 'never',
        control.updatedByUsername ?? control.updatedBy ?? '',
        control.message ?? '',
      ]),
    ),
})
