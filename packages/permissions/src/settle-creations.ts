import type { CreatorWebhooks } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import type { RoleInput } from './model.ts'
import { revokeRoleKeys } from './role-keys.ts'
import { toRoleWebhooksKey } from './role-webhooks.ts'

/** What a request decides about the API keys and webhooks that members of the changed roles created. */
export type CreationsChoice = Pick<RoleInput, 'revokeKeyIds' | 'pauseWebhookIds'>

/**
 * Revokes the API keys and pauses the webhooks that a change of some roles names.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @throws AppError `invalid_request` for what `listRoleKeys` and `listRoleWebhooks` do not list
 */
export async function settleCreations(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  pauseWebhooks: CreatorWebhooks['pause'],
  roleIds: readonly string[],
  { revokeKeyIds = [], pauseWebhookIds = [] }: CreationsChoice,
): Promise<void> {
  await revokeRoleKeys(tx, ports, actor, { roleIds, ids: revokeKeyIds })
  await pauseWebhooks(tx, actor, { ...toRoleWebhooksKey(actor, roleIds), ids: pauseWebhookIds })
}
