import { createKeyFromRequest, ipRanges } from '@reeve/auth'
import { permissions, wire } from '@reeve/core'
import { cliActor, instanceCommand, nameCodec, optional, required } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

const permissionsCodec = {
  read: (text: string) => (text === 'all' ? permissions : wire.permissionSet.read(text)),
}

export const createKeyCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    name: required('<name>', 'what the key is for', nameCodec),
    permissions: required('<list>', 'comma-separated permissions, or all', permissionsCodec),
    expiresAt: optional('<time>', 'expiry time, such as 2027-01-01T00:00:00Z', wire.time),
    allowedAddresses: optional(
      '<list>',
      'comma-separated IP addresses or ranges from which it can be used',
      ipRanges,
    ),
  },
  async run({ db, ports }, { workspace, name, permissions, expiresAt, allowedAddresses }) {
    await assertWorkspaceExists(db.read, workspace)
    const { apiKey, secret } = await db.write((tx) =>
      createKeyFromRequest(tx, ports, cliActor(ports, workspace), {
        name,
        permissions,
        ...(expiresAt === null ? {} : { expiresAt }),
        ...(allowedAddresses === null ? {} : { allowedAddresses }),
      }),
    )
    return { keyId: apiKey.id, apiKey: secret }
  },
  print: ({ keyId, apiKey }) => `Created key ${keyId}. Store it now: it is not shown again.\n${apiKey}`,
})
