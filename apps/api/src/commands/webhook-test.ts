import { getDelivery, testWebhook } from '@reeve/webhooks'
import { cliActor, instanceCommand } from '../command-line/command.ts'
import { webhookOption, withWebhookHint } from './webhook-option.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

/** Longer than an attempt can take, and than it can wait for those before it. */
const MAX_WAIT_MS = 30_000
const POLL_MS = 100

/** The server sends the event, because only it knows the settings for outgoing requests. */
export const testWebhookCommand = instanceCommand({
  options: { workspace: workspaceOption, id: webhookOption },
  async run({ db, ports, shutdownSignal }, { workspace, id }) {
    await assertWorkspaceExists(db.read, workspace)
    const actor = cliActor(ports, workspace)
    let { delivery } = await withWebhookHint(
      workspace,
      db.write((tx) => testWebhook(tx, ports, actor, { workspaceId: workspace, id })),
    )
    for (const startedAt = performance.now(); delivery.state === 'pending'; ) {
      if (shutdownSignal.aborted || performance.now() - startedAt > MAX_WAIT_MS) break
      await Bun.sleep(POLL_MS)
      delivery = (await getDelivery(db.read, actor, delivery.id)).delivery
    }
    return { delivery }
  },
  exitCode: ({ delivery }) => (delivery.state === 'failed' ? 1 : 0),
  print: ({ delivery: { state, id, lastStatus, lastError, durationMs, response } }) =>
    state === 'pending'
      ? `Test event ${id} is queued: a running server sends it.`
      : [
          state === 'delivered'
            ? `Delivered: the receiver returned ${lastStatus} after ${durationMs} ms.`
            : `Failed: ${lastError}`,
          ...(response ? [response] : []),
        ].join('\n'),
})
