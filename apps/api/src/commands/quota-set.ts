import { wire } from '@reeve/core'
import { monthlyQuotaCodec, setQuota } from '@reeve/usage'
import { cliActor, instanceCommand, required } from './command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

const quotaCodec = {
  read(text: string): number | null {
    if (text === 'none') return null
    try {
      return monthlyQuotaCodec.read(text)
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error
      throw new wire.WireError(`${error.message}, or none`)
    }
  },
}

export const setQuotaCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    calls: required('<number>', 'requests per calendar month (UTC), or none for no limit', quotaCodec),
  },
  async run({ db, ports }, { workspace, calls }) {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) =>
      setQuota(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, monthlyQuota: calls }),
    )
  },
  print: ({ quota }) =>
    quota.monthlyQuota === null
      ? 'Removed the request quota of the workspace.'
      : `Set the quota of the workspace to ${quota.monthlyQuota} requests per calendar month (UTC).`,
})
