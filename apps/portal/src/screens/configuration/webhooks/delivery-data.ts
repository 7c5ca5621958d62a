import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { pagesQuery } from '../../../api/pages.ts'
import { getNow } from '../../../format/clock.ts'
import type { DeliveryFilters } from './delivery-filters.ts'
import { type Webhook, webhooksKey } from './webhook-data.ts'

/** A delivery in a list. */
export type Delivery = Schemas['Delivery']
/** A delivery with its request and response. */
export type DeliveryWithContent = Schemas['DeliveryWithContent']

/** How often deliveries are read again while a response is awaited, in milliseconds. */
const POLL_MS = 1000
/** Within which time of an attempt a response is awaited. One that is long overdue waits for the webhook to be resumed. */
const AWAIT_MS = 20_000

const isAwaited = ({ nextAttemptAt }: Delivery): boolean =>
  nextAttemptAt !== null && Math.abs(Date.parse(nextAttemptAt) - getNow()) < AWAIT_MS

/** The interval to read deliveries at, which send no live update; false if none is about to be sent. */
export const findPollInterval = (deliveries: readonly Delivery[]): number | false =>
  deliveries.some(isAwaited) ? POLL_MS : false

/** The deliveries of a webhook, newest first. */
export const deliveriesQuery = (workspaceId: string, webhookId: string, filters: DeliveryFilters) =>
  pagesQuery([...webhooksKey(workspaceId), 'deliveries', webhookId, filters], async (cursor) => {
    const query = { workspaceId, webhookId, ...filters, ...cursor }
    const response = await unwrap(api.GET('/api/webhooks/deliveries', { params: { query } }))
    return 'deliveries' in response ? response : { deliveries: [], nextCursor: null }
  })

/**
 * One delivery with its request and response.
 * @param options.waits whether to read it again while it is pending
 */
export const deliveryQuery = (
  workspaceId: string,
  id: string,
  { waits = false }: { readonly waits?: boolean } = {},
) =>
  queryOptions({
    queryKey: [...webhooksKey(workspaceId), 'delivery', id],
    queryFn: async (): Promise<DeliveryWithContent> => {
      const query = { workspaceId, id }
      const response = await unwrap(api.GET('/api/webhooks/deliveries', { params: { query } }))
      return (response as { readonly delivery: DeliveryWithContent }).delivery
    },
    refetchInterval: ({ state: { data } }) => (waits && data?.state === 'pending' ? POLL_MS : false),
  })

/** Sends a test event, once. @returns its delivery, which has no response yet */
export const sendTest = async (workspaceId: string, { id }: Webhook): Promise<DeliveryWithContent> =>
  (await unwrap(api.POST('/api/webhooks/test', { body: { workspaceId, id } }))).delivery

/** Sends one delivery again. */
export const resendDelivery = (workspaceId: string, { id: deliveryId, webhookId: id }: Delivery) =>
  unwrap(api.POST('/api/webhooks/resend', { body: { workspaceId, id, deliveryId } }))

/**
 * Sends the failed deliveries since a time again.
 * @param since RFC 3339
 * @returns how many
 */
export async function resendSince(workspaceId: string, { id }: Webhook, since: string): Promise<number> {
  let total = 0
  for (;;) {
    const body = { workspaceId, id, since }
    const { resent, hasMore } = await unwrap(api.POST('/api/webhooks/resend', { body }))
    total += Number(resent)
    if (hasMore !== 'true') return total
  }
}

/** `42 ms`, `1.2 s` */
export const formatDuration = (milliseconds: string): string =>
  Number(milliseconds) < 1000 ? `${milliseconds} ms` : `${(Number(milliseconds) / 1000).toFixed(1)} s`
