import { type CreatorWebhooks, listAllCreatorKeys, revokeCreatorKeys } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import type { AccountDeletion } from './model.ts'

/**
 * Revokes the API keys and pauses the webhooks of an account that a request names, in all workspaces.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @throws AppError `invalid_request` for what the account did not create
 */
export async function endAccountCreations(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  pauseWebhooks: CreatorWebhooks['pause'],
  creatorId: string,
  { revokeKeyIds = [], pauseWebhookIds = [] }: AccountDeletion,
): Promise<void> {
  await revokeCreatorKeys(tx, ports, actor, await listAllCreatorKeys(tx, ports, creatorId), revokeKeyIds)
  await pauseWebhooks(tx, actor, { workspaceId: null, creatorId, ids: pauseWebhookIds })
}
