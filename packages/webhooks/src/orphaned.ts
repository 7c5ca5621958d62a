import { isCreatorGone, joinWebhookCreator, type Queries, statement } from '@reeve/db'

const orphanedOfInstance = statement<{ limit: number }>()((sql, p) =>
  joinWebhookCreator(sql)
    .select(['webhook.workspace_id', 'webhook.id', 'webhook.name'])
    .select(({ fn }) => fn.coalesce('own.username', 'of_key.username').as('username'))
    .where('webhook.state', '=', 'active')
    .where((eb) => eb(eb.fn.coalesce('own.id', 'of_key.id'), 'is not', null))
    .where((eb) => isCreatorGone(eb, eb.fn.coalesce('own.disabled_at', 'of_key.disabled_at')))
    .orderBy('webhook.workspace_id')
    .orderBy('webhook.id')
    .limit(p.limit),
)

/** The active webhooks of all workspaces that were created by somebody who is no longer a member, or whose account is disabled. */
export const listOrphanedWebhooks = (db: Queries, limit: number) => db.all(orphanedOfInstance, { limit })
