import { createKeyFromRequest, revokeKey as endKey, ipRanges, listKeys as pageOfKeys } from '@reeve/auth'
import { AppError, MAX_LIMIT, permissions, wire } from '@reeve/core'
import { cliActor, formatTable, instanceCommand, nameCodec, optional, required } from './command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace.ts'

const permissionsCodec = {
  read: (text: string) => (text === 'all' ? permissions : wire.permissionSet.read(text)),
}

export const createKeyCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    name: required('<name>', 'what the key is for', nameCodec),
    permissions: required('<list>', 'what it may do: names, separated by commas, or all', permissionsCodec),
    expiresAt: optional('<time>', 'when it ends, such as 2027-01-01T00:00:00Z', wire.time),
    allowedAddresses: optional('<list>', 'addresses or ranges it may be used from', ipRanges),
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
  print: ({ keyId, apiKey }) => `The key ${keyId} is made. It is shown this once: keep it now.\n${apiKey}`,
})

export const listKeysCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const apiKeys = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof pageOfKeys>> = await pageOfKeys(
        db.read,
        ports,
        cliActor(ports, workspace),
        { limit: MAX_LIMIT, ...(cursor === '' ? {} : { cursor }) },
      )
      apiKeys.push(...page.apiKeys)
      cursor = page.nextCursor
    }
    return { apiKeys }
  },
  print: ({ apiKeys }) =>
    formatTable(
      ['ID', 'NAME', 'ENDS IN', 'STATUS', 'LAST USED', 'PERMISSIONS'],
      apiKeys.map((key) => [
        key.id,
        key.name,
        `…${key.hint}`,
        key.status,
        key.lastUsedAt ?? 'never',
        wire.permissionSet.read(key.permissions).join(','),
      ]),
    ),
})

export const revokeKeyCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    id: required('<id>', 'the key; `reeve key list` shows them', wire.id),
  },
  async run({ db, ports }, { workspace, id }) {
    await assertWorkspaceExists(db.read, workspace)
    try {
      await db.write((tx) => endKey(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, id }))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      throw new AppError('not_found', {
        message: `The workspace has no key ${id}; \`reeve key list --workspace ${workspace}\` shows them.`,
      })
    }
    return { keyId: id }
  },
  print: ({ keyId }) => `The key ${keyId} is refused from the next call on.`,
})
