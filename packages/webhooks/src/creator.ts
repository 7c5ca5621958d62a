import { type CreatorWebhookRow, type CreatorWebhooks, MAX_CREATOR_WEBHOOKS } from '@reeve/auth'
import { invalidRequest, type Ports } from '@reeve/core'
import { type Queries, type Sql, selectWebhookCreator, statement } from '@reeve/db'
import { pauseWebhook } from './pause.ts'
import { compareIds, type WebhookRow } from './store.ts'

interface CreatorParams {
  readonly creatorId: string
  readonly limit: number
}

const selectWebhooks = (sql: Sql) =>
  selectWebhookCreator(sql)
    .innerJoin('workspace', 'workspace.id', 'webhook.workspace_id')
    .selectAll('webhook')
    .select('workspace.group_name')

const restrictToActive = (query: ReturnType<typeof selectWebhooks>, p: CreatorParams) =>
  query
    .where('webhook.state', '=', 'active')
    .where((eb) => eb.or([eb('own.id', '=', p.creatorId), eb('of_key.id', '=', p.creatorId)]))
    .orderBy('webhook.id', 'desc')
    .limit(p.limit)

const activeInWorkspace = statement<CreatorParams & { workspaceId: string }>()((sql, p) =>
  restrictToActive(selectWebhooks(sql).where('webhook.workspace_id', '=', p.workspaceId), p),
)
const activeOfInstance = statement<CreatorParams>()((sql, p) => restrictToActive(selectWebhooks(sql), p))

type ActiveWebhook = WebhookRow & CreatorWebhookRow

const listActive = (
  db: Queries,
  { workspaceId, creatorId }: Parameters<CreatorWebhooks['list']>[1],
): Promise<ActiveWebhook[]> => {
  const params = { creatorId, limit: MAX_CREATOR_WEBHOOKS }
  return workspaceId === null
    ? db.all(activeOfInstance, params)
    : db.all(activeInWorkspace, { ...params, workspaceId })
}

/**
 * Lists and pauses the webhooks of people whose access ends or is reduced. Pausing does not need `webhooks.manage`: it belongs to that
 * change.
 */
export const createCreatorWebhooks = (ports: Ports): CreatorWebhooks => ({
  list: listActive,
  async pause(tx, actor, { ids, ...key }) {
    if (ids.length === 0) return
    const webhooks = await listActive(tx, key)
    const unknown = ids.find((id) => !webhooks.some((webhook) => webhook.id === id))
    if (unknown !== undefined) {
      throw invalidRequest({
        field: 'pauseWebhookIds',
        message: `contains an id that is not an active webhook of those concerned: ${unknown}`,
      })
    }
    for (const webhook of webhooks.filter(({ id }) => ids.includes(id)).sort(compareIds))
      await pauseWebhook(
        tx,
        ports,
        { ...actor, workspaceId: webhook.workspace_id },
        webhook,
        'creator_lost_access',
      )
  },
})
