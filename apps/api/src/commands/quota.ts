import { wire } from '@reeve/core'
import { monthlyQuotaCodec, setQuota as put } from '@reeve/usage'
import { cliActor, instanceCommand, required } from './command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace.ts'

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
    calls: required('<number>', 'calls a calendar month (UTC); none is without limit', quotaCodec),
  },
  async run({ db, ports }, { workspace, calls }) {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) =>
      put(tx, ports, cliActor(ports, workspace), { workspaceId: workspace, monthlyQuota: calls }),
    )
  },
  print: ({ quota }) =>
    quota.monthlyQuota === null
      ? 'The workspace may make any number of calls.'
      : `The workspace may make ${quota.monthlyQuota} calls a calendar month (UTC).`,
})
