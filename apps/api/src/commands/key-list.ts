import { listKeys } from '@reeve/auth'
import { wire } from '@reeve/core'
import { cliActor, formatTable, instanceCommand, readAllPages } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const listKeysCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const apiKeys = await readAllPages(
      (page) => listKeys(db.read, ports, cliActor(ports, workspace), page),
      (page) => page.apiKeys,
    )
    return { apiKeys }
  },
  print: ({ apiKeys }) =>
    formatTable(
      ['ID', 'NAME', 'ENDS IN', 'STATUS', 'LAST USED', 'PERMISSIONS'],
      apiKeys.map((key) => [
        key.id,
        key.name,
        `…${key.hint}`,
        key.restoredAt === null ? key.status : `${key.status}, to be confirmed`,
        key.lastUsedAt ?? 'never',
        wire.permissionSet.read(key.permissions).join(','),
      ]),
    ),
})
