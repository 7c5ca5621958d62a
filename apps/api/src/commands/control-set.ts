import { controlCodecs, setControl } from '@reeve/endpoint-controls'
import { cliActor, instanceCommand, optional, required } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const setControlCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    endpoint: required('<name>', 'the endpoint, such as moderation', controlCodecs.endpoint),
    mode: required(
      '<mode>',
      'on, read_only (rejects writes) or off (rejects every request)',
      controlCodecs.mode,
    ),
    message: optional('<text>', 'message in the response to rejected requests', controlCodecs.message),
  },
  async run({ db, ports }, { workspace, endpoint, mode, message }) {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) =>
      setControl(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, endpoint, mode, message }),
    )
  },
  print: ({ control }) => `Set ${control.endpoint} to ${control.mode} in this workspace.`,
})
