import { type CreatorWebhooks, presentCreatorWebhook, type RoleWebhooksKey } from '@reeve/auth'
import type { Actor } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findCreatorRoles } from './creator-roles.ts'

/** The webhooks that a change of some roles can pause: those of members who do not rank above the actor. */
export const toRoleWebhooksKey = (actor: Actor, roleIds: readonly string[]): RoleWebhooksKey => ({
  workspaceId: actor.workspaceId,
  roleIds,
  maxRank: actor.rank,
})

/**
 * The active webhooks that members of these roles, or their API keys, created and that a change of the roles can pause, newest first,
 * with their creators and the roles of these.
 * @param list the function of `CreatorWebhooks`
 */
export async function listRoleWebhooks(
  db: Queries,
  actor: Actor,
  list: CreatorWebhooks['listOfRoles'],
  roleIds: readonly string[],
) {
  const webhooks = await list(db, toRoleWebhooksKey(actor, roleIds))
  const creatorRoles = await findCreatorRoles(
    db,
    actor,
    webhooks.map((webhook) => webhook.creator_id),
  )
  return {
    webhooks: webhooks.map((webhook) => ({
      ...presentCreatorWebhook(webhook),
      creator: webhook.creator_username,
      creatorRoleIds: creatorRoles.get(webhook.creator_id) ?? [],
    })),
  }
}
