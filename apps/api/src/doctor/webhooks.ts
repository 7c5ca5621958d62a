import { MINUTE_MS } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { listOrphanedWebhooks, listStoppedWebhooks, listStuckWebhooks } from '@reeve/webhooks'
import { MAX_NAMED, pluralize } from '../format.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Finds deliveries that nothing sends, webhooks that Reeve has paused or disabled, and those whose creator is gone. */
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
  const orphaned = await listOrphanedWebhooks(read, MAX_NAMED + 1)
  if (orphaned.length > 0) {
    const named = orphaned
      .slice(0, MAX_NAMED)
      .map((webhook) => `${nameWebhook(webhook)}, by ${webhook.username}`)
    const others = orphaned.length > MAX_NAMED ? '; and more' : ''
    findings.push(
      warning(
        'webhooks',
        `Webhooks still receive events although their creator has left or is disabled: ${named.join('; ')}${others}.`,
        'Ask the workspace whether each is still needed, and who gets what it sends. Somebody who rotates its secret in the portal, or pauses and resumes it, takes it over; otherwise delete it.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok('webhooks', 'No delivery to a webhook is stuck.')]
}
