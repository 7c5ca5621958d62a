import { listKeys } from '@reeve/auth'
import { MAX_LIMIT, wire } from '@reeve/core'
import { cliActor, formatTable, instanceCommand } from './command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const listKeysCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const apiKeys = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof listKeys>> = await listKeys(
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
