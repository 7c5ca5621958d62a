import { needsConfirmation, type WebhookEvent } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../../api/client.ts'
import { OVERVIEW } from '../../../api/live-updates.ts'

export type WebhookKind = 'standard' | 'discord'

/** Whether deliveries arrive; `unconfirmed` ones wait for the owner or an operator to confirm them after a restore or a roll-back. */
export type Health = 'unused' | 'healthy' | 'failing' | 'paused' | 'unconfirmed' | 'disabled'

type WebhookResponse = Schemas['Webhook']

/** A webhook with parsed fields. */
export interface Webhook extends Omit<WebhookResponse, 'events' | 'kind' | 'state'> {
  readonly kind: WebhookKind
  readonly events: readonly WebhookEvent[]
  readonly state: 'active' | 'paused' | 'disabled'
  readonly health: Health
  /** When something was sent last, RFC 3339; null if nothing was. */
  readonly lastAttemptAt: string | null
}

function findHealth({ state, stateReason, failures, lastSuccessAt }: WebhookResponse): Health {
  if (state === 'disabled') return 'disabled'
  if (state === 'paused') return needsConfirmation(stateReason) ? 'unconfirmed' : 'paused'
  if (failures !== '0') return 'failing'
  return lastSuccessAt === null ? 'unused' : 'healthy'
}

const parseWebhook = (webhook: WebhookResponse): Webhook => {
  const attempts = [webhook.lastSuccessAt, webhook.lastFailureAt].filter((at) => at !== null)
  return {
    ...webhook,
    kind: webhook.kind as WebhookKind,
    state: webhook.state as Webhook['state'],
    health: findHealth(webhook),
    // Times in one format sort as texts.
    lastAttemptAt: attempts.sort().at(-1) ?? null,
  }
}

/** Prefix of all query keys about webhooks of a workspace. Any change in it can be sent to them, so they are read after each. */
export const webhooksKey = (workspaceId: string) => [workspaceId, OVERVIEW, 'webhooks'] as const

/** How often the health of webhooks is read: a delivery sends no live update, in milliseconds. */
const HEALTH_INTERVAL_MS = 15_000

/** All webhooks of a workspace: it has fewer than a page. */
export const webhooksQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(workspaceId), 'list'],
    queryFn: async (): Promise<readonly Webhook[]> => {
      const response = await unwrap(api.GET('/api/webhooks', { params: { query: { workspaceId } } }))
      return 'webhooks' in response ? response.webhooks.map(parseWebhook) : []
    },
    refetchInterval: HEALTH_INTERVAL_MS,
  })

/** One webhook. */
export const webhookQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: [...webhooksKey(workspaceId), 'one', id],
    queryFn: async (): Promise<Webhook> => {
      const response = await unwrap(api.GET('/api/webhooks', { params: { query: { workspaceId, id } } }))
      return parseWebhook((response as { readonly webhook: WebhookResponse }).webhook)
    },
    refetchInterval: HEALTH_INTERVAL_MS,
  })

/** The events that webhooks can receive, each with an example of what is sent. */
export const eventTypesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'webhook-events'],
    queryFn: async () =>
      (await unwrap(api.GET('/api/webhooks/events', { params: { query: { workspaceId } } }))).events,
    staleTime: Number.POSITIVE_INFINITY,
  })

interface WebhookInput {
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
}

/** A webhook that was changed, and its secret if that is new. */
export interface ChangedWebhook {
  readonly webhook: Webhook
  readonly secret: string | null
}

type Action = 'create' | 'update' | 'pause' | 'resume' | 'rotate'

/** Sends a change. It fails if the webhook has changed since it was read. */
async function change(
  workspaceId: string,
  action: Action,
  webhook: Webhook | null,
  fields: Readonly<Record<string, string>> = {},
): Promise<ChangedWebhook> {
  const body = { workspaceId, action, ...(webhook && { id: webhook.id }), ...fields }
  const headers = webhook ? ifMatch(webhook.version) : {}
  const response = await unwrap(api.POST('/api/webhooks', { body, headers }))
  return { webhook: parseWebhook(response.webhook), secret: response.secret }
}

const toFields = ({ events, ...fields }: Partial<WebhookInput>): Record<string, string> => ({
  ...fields,
  ...(events && { events: JSON.stringify(events) }),
})

/** @returns the webhook with its secret; a Discord webhook has none */
export const createWebhook = (workspaceId: string, input: WebhookInput) =>
  change(workspaceId, 'create', null, toFields(input))
export const updateWebhook = (workspaceId: string, webhook: Webhook, input: Partial<WebhookInput>) =>
  change(workspaceId, 'update', webhook, toFields(input))
export const pauseWebhook = (workspaceId: string, webhook: Webhook) => change(workspaceId, 'pause', webhook)
export const resumeWebhook = (workspaceId: string, webhook: Webhook) => change(workspaceId, 'resume', webhook)
/** @param graceSeconds how long the secret before signs as well */
export const rotateSecret = (workspaceId: string, webhook: Webhook, graceSeconds: string) =>
  change(workspaceId, 'rotate', webhook, { graceSeconds })

export const deleteWebhook = (workspaceId: string, { id }: Webhook) =>
  unwrap(api.DELETE('/api/webhooks', { params: { query: { workspaceId, id } } }))
