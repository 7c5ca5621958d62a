import type { Queries } from '@reeve/db'
import { listStoppedWebhooks, listStuckWebhooks } from '@reeve/webhooks'
import { pluralize } from '../format.ts'
import { type Finding, MAX_NAMED, ok, warning } from './finding.ts'

const MINUTE_MS = 60_000

/** Finds deliveries that nothing sends, and webhooks that Reeve has paused or disabled. */
export async function checkWebhooks(read: Queries, now: number): Promise<Finding[]> {
  const stuck = await listStuckWebhooks(read, now)
  const stopped = await listStoppedWebhooks(read, MAX_NAMED)
  const nameWebhook = ({ name, id, workspace_id }: { name: string; id: string; workspace_id: string }) =>
    `${name} (${id} of workspace ${workspace_id})`
  const findings: Finding[] = []
  if (stuck.length > 0) {
    const named = stuck
      .slice(0, MAX_NAMED)
      .map((webhook) => `${nameWebhook(webhook)} for ${Math.floor(webhook.oldestMs / MINUTE_MS)} minutes`)
    findings.push(
      warning(
        'webhooks',
        `Deliveries to ${pluralize(stuck.length, 'webhook')} wait although they are due: ${named.join('; ')}.`,
        'Start the server if it does not run. Otherwise the receiver is too slow for the events that it gets: select fewer, or pause the webhook.',
      ),
    )
  }
  if (stopped.length > 0)
    findings.push(
      warning(
        'webhooks',
        `${pluralize(stopped.length, 'webhook')} ${stopped.length === 1 ? 'was' : 'were'} paused or disabled by Reeve: ${stopped
          .map((webhook) => `${nameWebhook(webhook)}: ${webhook.state_reason}`)
          .join('; ')}.`,
        'Repair the receiver and resume the webhook in the portal, or delete it. After a restore, a move or a roll-back, the owner of the workspace or an operator confirms it there.',
      ),
    )
  return findings.length > 0 ? findings : [ok('webhooks', 'No delivery to a webhook is stuck.')]
}
