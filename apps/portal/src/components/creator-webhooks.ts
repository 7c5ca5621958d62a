import { api, unwrap } from '../api/client.ts'
import { type Creations, type CreationsQuery, toCreations } from './creator-choice.ts'

/** An active webhook of a person. */
export type CreatorWebhook = Awaited<ReturnType<typeof readMemberWebhooks>>['items'][number] & {
  /** Who created the webhook, if it is listed with those of others. */
  readonly creator?: string
  readonly creatorRoleIds?: readonly string[]
}
export type CreatorWebhooks = Creations<CreatorWebhook>
export type WebhooksQuery = CreationsQuery<CreatorWebhook>

async function readMemberWebhooks(workspaceId: string, accountId: string) {
  const query = { workspaceId, accountId }
  const { webhooks, more } = await unwrap(api.GET('/portal/api/members/webhooks', { params: { query } }))
  return toCreations(webhooks, more)
}

/** The active webhooks that a member of a workspace, or their API keys, created. */
export const memberWebhooksQuery = (workspaceId: string, accountId: string): WebhooksQuery => ({
  queryKey: [workspaceId, 'webhooks', 'of', accountId],
  queryFn: () => readMemberWebhooks(workspaceId, accountId),
})

/** Those of an account in any workspace, for operators. */
export const accountWebhooksQuery = (id: string): WebhooksQuery => ({
  queryKey: ['operator', 'accounts', 'webhooks', id],
  queryFn: async () => {
    const { webhooks, more } = await unwrap(
      api.GET('/admin/api/accounts/webhooks', { params: { query: { id } } }),
    )
    return toCreations(webhooks, more)
  },
})

/** Those of the user in any workspace. */
export const ownWebhooksQuery: WebhooksQuery = {
  queryKey: ['account', 'webhooks'],
  queryFn: async () => {
    const { webhooks, more } = await unwrap(api.GET('/portal/api/account/webhooks'))
    return toCreations(webhooks, more)
  },
}
