import { invalidRequest, wire } from '@reeve/core'
import { resendDeliveries } from '@reeve/webhooks'
import { cliActor, instanceCommand, optional } from '../command-line/command.ts'
import { webhookOption, withWebhookHint } from './webhook-option.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const resendCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    id: webhookOption,
    delivery: optional('<id>', 'one delivery', wire.id),
    since: optional('<time>', 'every failed delivery of events since this time', wire.time),
  },
  async run({ db, ports }, { workspace, id, delivery, since }) {
    if ((delivery === null) === (since === null))
      throw invalidRequest({ field: 'delivery', message: 'or --since is required, and not both' })
    await assertWorkspaceExists(db.read, workspace)
    const input = {
      workspaceId: workspace,
      id,
      ...(delivery === null ? {} : { deliveryId: delivery }),
      ...(since === null ? {} : { since }),
    }
    let resent = 0
    for (let hasMore = true; hasMore; ) {
      const result = await withWebhookHint(
        workspace,
        db.write((tx) => resendDeliveries(tx, ports, cliActor(ports, workspace), input)),
      )
      resent += Number(result.resent)
      hasMore = result.hasMore === 'true'
    }
    return { resent: String(resent) }
  },
  print: ({ resent }) => `${resent} ${resent === '1' ? 'delivery is' : 'deliveries are'} sent again.`,
})
