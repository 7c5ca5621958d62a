import { wire } from '@reeve/core'
import { monthlyQuotaCodec, setQuota as put } from '@reeve/usage'
import { onInstance, required, shell } from './command.ts'
import { needWorkspace, workspaceOption } from './workspace.ts'

const callsOrNone = {
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

export const setQuota = onInstance({
  options: {
    workspace: workspaceOption,
    calls: required('<number>', 'calls a calendar month (UTC); none is without limit', callsOrNone),
  },
  async run({ db, ports }, { workspace, calls }) {
    await needWorkspace(db.read, workspace)
    return db.write((tx) =>
      put(tx, ports, shell(ports, workspace), { workspaceId: workspace, monthlyQuota: calls }),
    )
  },
  print: ({ quota }) =>
    quota.monthlyQuota === null
      ? 'The workspace may make any number of calls.'
      : `The workspace may make ${quota.monthlyQuota} calls a calendar month (UTC).`,
})
