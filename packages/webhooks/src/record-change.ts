import { appendAuditEntry } from '@reeve/audit'
import type { Actor, Ports } from '@reeve/core'
import type { Transaction, WebhookTable } from '@reeve/db'
import { parseEvents } from './model.ts'

/** What the audit log contains: of the URL the host, because its path is often a secret. */
const toSnapshot = (row: WebhookTable) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  kind: row.kind,
  host: new URL(row.url).host,
  events: parseEvents(row),
  state: row.state,
  stateReason: row.state_reason,
})

/**
 * Appends a change of a webhook to the audit log.
 * @returns its sequence
 */
export const recordWebhookChange = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'create' | 'update' | 'pause' | 'resume' | 'rotate' | 'delete' | 'disable',
  before: WebhookTable | null,
  after: WebhookTable | null,
): Promise<number> => {
  const row = (after ?? before) as WebhookTable
  return appendAuditEntry(tx, ports, actor, {
    action: `webhooks.${action}`,
    target: { kind: 'webhook', id: row.id },
    before: before && toSnapshot(before),
    after: after && toSnapshot(after),
    chain: row.workspace_id,
  })
}
