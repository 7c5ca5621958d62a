import {
  type CreatorWebhookRow,
  type CreatorWebhooks,
  type CreatorWebhooksKey,
  MAX_CREATIONS,
  type RoleWebhookRow,
  type RoleWebhooksKey,
} from '@reeve/auth'
import { invalidRequest, type Ports } from '@reeve/core'
import { joinWebhookCreator, type Queries, type Sql, selectWebhookCreator, statement } from '@reeve/db'
import { pauseWebhook } from './pause.ts'
import { compareIds, type WebhookRow } from './store.ts'

interface ListParams {
  readonly limit: number
}
interface CreatorParams extends ListParams {
  readonly creatorId: string
}

const selectWebhooks = (sql: Sql) =>
  selectWebhookCreator(sql)
    .innerJoin('workspace', 'workspace.id', 'webhook.workspace_id')
    .selectAll('webhook')
    .select('workspace.group_name')

type WebhookQuery = ReturnType<typeof selectWebhooks>

const restrictToActive = (query: WebhookQuery, p: ListParams): WebhookQuery =>
  query.where('webhook.state', '=', 'active').orderBy('webhook.id', 'desc').limit(p.limit)

const restrictToCreator = (query: WebhookQuery, p: CreatorParams): WebhookQuery =>
  restrictToActive(query, p).where((eb) =>
    eb.or([eb('own.id', '=', p.creatorId), eb('of_key.id', '=', p.creatorId)]),
  )

const activeInWorkspace = statement<CreatorParams & { workspaceId: string }>()((sql, p) =>
  restrictToCreator(selectWebhooks(sql).where('webhook.workspace_id', '=', p.workspaceId), p),
)
const activeOfInstance = statement<CreatorParams>()((sql, p) => restrictToCreator(selectWebhooks(sql), p))
const countOfInstance = statement<{ creatorId: string }>()((sql, p) =>
  joinWebhookCreator(sql)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook.state', '=', 'active')
    .where((eb) => eb.or([eb('own.id', '=', p.creatorId), eb('of_key.id', '=', p.creatorId)])),
)
const activeOfRoles = statement<ListParams & RoleWebhooksKey>()((sql, p, dialect) =>
  restrictToActive(selectWebhooks(sql).where('webhook.workspace_id', '=', p.workspaceId), p)
    .select((eb) => [
      eb.ref('member.account_id').$notNull().as('creator_id'),
      eb.fn.coalesce('own.username', 'of_key.username').$notNull().as('creator_username'),
    ])
    .where((eb) => {
      const roles = eb
        .selectFrom('member_role')
        .innerJoin('role', (join) =>
          join
            .onRef('role.workspace_id', '=', 'member_role.workspace_id')
            .onRef('role.id', '=', 'member_role.role_id'),
        )
        .select('role.id')
        .where('member_role.workspace_id', '=', p.workspaceId)
        .whereRef('member_role.account_id', '=', 'member.account_id')
      return eb.and([
        eb.exists(roles.where(dialect.inList('role.id', p.roleIds))),
        eb.not(eb.exists(roles.where('role.rank', '>', p.maxRank))),
      ])
    }),
)

type Active<Row> = WebhookRow & Row

const listActive = (
  db: Queries,
  { workspaceId, creatorId }: CreatorWebhooksKey,
  limit = MAX_CREATIONS,
): Promise<Active<CreatorWebhookRow>[]> => {
  const params = { creatorId, limit }
  return workspaceId === null
    ? db.all(activeOfInstance, params)
    : db.all(activeInWorkspace, { ...params, workspaceId })
}

const listActiveOfRoles = (db: Queries, key: RoleWebhooksKey): Promise<Active<RoleWebhookRow>[]> =>
  db.all(activeOfRoles, { ...key, limit: MAX_CREATIONS })

/**
 * Lists and pauses the webhooks of people whose access ends or is reduced. Pausing does not need `webhooks.manage`: it belongs to that
 * change.
 */
export const createCreatorWebhooks = (ports: Ports): CreatorWebhooks => ({
  list: listActive,
  count: async (db, creatorId) => Number((await db.first(countOfInstance, { creatorId }))?.count ?? 0),
  listOfRoles: listActiveOfRoles,
  async pause(tx, actor, { ids, ...key }) {
    if (ids.length === 0) return
    const webhooks = await ('roleIds' in key ? listActiveOfRoles(tx, key) : listActive(tx, key))
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
