import { api, unwrap } from '../api/client.ts'
import type { Creations, CreationsQuery } from './creator-choice.ts'

/** An active webhook of a person. */
export type CreatorWebhook = Awaited<ReturnType<typeof readMemberWebhooks>>['items'][number] & {
  /** Who created the webhook, if it is listed with those of others. */
  readonly creator?: string
  readonly creatorRoleIds?: readonly string[]
}
export type CreatorWebhooks = Creations<CreatorWebhook>
export type WebhooksQuery = CreationsQuery<CreatorWebhook>

const toCreations = <Webhook>({
  webhooks,
  more,
}: {
  readonly webhooks: readonly Webhook[]
  readonly more: string
}) => ({
  items: webhooks,
  more: Number(more),
})

async function readMemberWebhooks(workspaceId: string, accountId: string) {
  const query = { workspaceId, accountId }
  return toCreations(await unwrap(api.GET('/portal/api/members/webhooks', { params: { query } })))
}

/** The active webhooks that a member of a workspace, or their API keys, created. */
export const memberWebhooksQuery = (workspaceId: string, accountId: string): WebhooksQuery => ({
  queryKey: [workspaceId, 'webhooks', 'of', accountId],
  queryFn: () => readMemberWebhooks(workspaceId, accountId),
})

/** Those of an account in any workspace, for operators. */
export const accountWebhooksQuery = (id: string): WebhooksQuery => ({
  queryKey: ['operator', 'accounts', 'webhooks', id],
  queryFn: async () =>
    toCreations(await unwrap(api.GET('/admin/api/accounts/webhooks', { params: { query: { id } } }))),
})

/** Those of the user in any workspace. */
export const ownWebhooksQuery: WebhooksQuery = {
  queryKey: ['account', 'webhooks'],
  queryFn: async () => toCreations(await unwrap(api.GET('/portal/api/account/webhooks'))),
}
