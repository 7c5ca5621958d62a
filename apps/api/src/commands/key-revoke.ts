import { revokeKey } from '@reeve/auth'
import { AppError, wire } from '@reeve/core'
import { cliActor, instanceCommand, required } from './command.ts'
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
      try {
        await db.write((tx) => change(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, id }))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error
        throw new AppError('not_found', {
          message: `The workspace has no key ${id}. Run \`reeve key list --workspace ${workspace}\` to list its keys.`,
        })
      }
      return { keyId: id }
    },
    print,
  })

export const revokeKeyCommand = keyChangeCommand(revokeKey, ({ keyId }) => `Revoked key ${keyId}.`)
