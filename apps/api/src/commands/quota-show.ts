import { storageKinds } from '@reeve/core'
import { formatSize } from '@reeve/core/size'
import { Meter } from '@reeve/metering'
import { readStorageUsage } from '@reeve/usage'
import { requireWorkspace } from '@reeve/workspaces'
import { formatTable, instanceCommand } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const showQuotaCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports, storage: guard }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const { monthly_quota, storage_quota } = await requireWorkspace(db.read, workspace)
    const calls = await new Meter(db, ports).countThisMonth(workspace)
    const storage = await readStorageUsage(db.read, guard, workspace)
    return {
      workspaceId: workspace,
      requests: { thisMonth: String(calls), limit: monthly_quota === null ? null : String(monthly_quota) },
      storage: { ...storage, isDefault: storage_quota === null },
    }
  },
  print: ({ requests, storage }) =>
    formatTable(
      ['', 'USED', 'QUOTA'],
      [
        ['requests this month (UTC)', requests.thisMonth, requests.limit ?? 'none'],
        [
          'storage',
          formatSize(Number(storage.bytes)),
          `${storage.limit === null ? 'none' : formatSize(Number(storage.limit))}${storage.isDefault ? ' (default)' : ''}`,
        ],
        ...storageKinds.map((kind) => [`  ${kind}`, formatSize(Number(storage[kind])), '']),
      ],
    ),
})
