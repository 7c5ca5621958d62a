import { type CreatorWebhooks, settleMemberKeys } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import type { RemoveMemberInput } from './model.ts'

/** What a request decides about the API keys and webhooks of a member whose access ends or is reduced. */
export type CreationsChoice = Pick<RemoveMemberInput, 'revokeKeyIds' | 'pauseWebhookIds'>

/**
 * Revokes the API keys and pauses the webhooks of a member that a request names, and restricts the other keys as `settleMemberKeys` does.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @param member.isReduced whether the member stays, and may have lost something
 * @throws AppError `invalid_request` for what the member did not create; `forbidden` (`insufficient_rank`) for a key that ranks above the actor
 */
export async function settleCreations(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  pauseWebhooks: CreatorWebhooks['pause'],
  { creatorId, isReduced }: { readonly creatorId: string; readonly isReduced: boolean },
  { revokeKeyIds = [], pauseWebhookIds = [] }: CreationsChoice,
): Promise<void> {
  await settleMemberKeys(tx, ports, actor, { creatorId, ids: revokeKeyIds, isReduced })
  await pauseWebhooks(tx, actor, { workspaceId: actor.workspaceId, creatorId, ids: pauseWebhookIds })
}
