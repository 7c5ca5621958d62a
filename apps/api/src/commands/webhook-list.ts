import { listWebhooks } from '@reeve/webhooks'
import { cliActor, formatTable, instanceCommand, readAllPages } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const listWebhooksCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const webhooks = await readAllPages(
      (page) => listWebhooks(db.read, ports, cliActor(ports, workspace), page),
      (page) => page.webhooks,
    )
    return { webhooks }
  },
  print: ({ webhooks }) =>
    formatTable(
      ['ID', 'NAME', 'STATE', 'URL', 'EVENTS', 'LAST SUCCESS', 'FAILING SINCE', 'LAST ERROR'],
      webhooks.map((webhook) => [
        webhook.id,
        webhook.name,
        webhook.stateReason === null ? webhook.state : `${webhook.state}: ${webhook.stateReason}`,
        webhook.url,
        webhook.events.join(','),
        webhook.lastSuccessAt ?? 'never',
        webhook.failingSince ?? '',
        webhook.lastError ?? '',
      ]),
    ),
})
