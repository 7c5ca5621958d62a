import { controlCodecs, setControl as put } from '@reeve/endpoint-controls'
import { cliActor, instanceCommand, optional, required } from './command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace.ts'

export const setControlCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    endpoint: required('<name>', 'the endpoint to switch, such as moderation', controlCodecs.endpoint),
    mode: required('<mode>', 'on, read_only (writes are refused) or off (every call is)', controlCodecs.mode),
    message: optional('<text>', 'what refused callers read', controlCodecs.message),
  },
  async run({ db, ports }, { workspace, endpoint, mode, message }) {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) =>
      put(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, endpoint, mode, message }),
    )
  },
  print: ({ control }) => `${control.endpoint} is ${control.mode} in this workspace.`,
})
