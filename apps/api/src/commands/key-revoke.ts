import { revokeKey } from '@reeve/auth'
import { wire } from '@reeve/core'
import { cliActor, instanceCommand, required } from '../command-line/command.ts'
import { withNotFoundHint } from './not-found-hint.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

/** A command that changes one API key. */
export const keyChangeCommand = (
  change: typeof revokeKey,
  print: (result: { readonly keyId: string }) => string,
) =>
  instanceCommand({
    options: {
      workspace: workspaceOption,
      id: required('<id>', 'the ID of the key, as listed by `reeve key list`', wire.id),
    },
    async run({ db, ports }, { workspace, id }) {
      await assertWorkspaceExists(db.read, workspace)
      await withNotFoundHint(
        db.write((tx) => change(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, id })),
        `The workspace has no key ${id}. Run \`reeve key list --workspace ${workspace}\` to list its keys.`,
      )
      return { keyId: id }
    },
    print,
  })

export const revokeKeyCommand = keyChangeCommand(revokeKey, ({ keyId }) => `Revoked key ${keyId}.`)
