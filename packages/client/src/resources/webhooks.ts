import type { Api, Result, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas, Values } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/webhooks'
const DELIVERIES_PATH = '/api/webhooks/deliveries'
const EVENTS_PATH = '/api/webhooks/events'
const RESEND_PATH = '/api/webhooks/resend'
const TEST_PATH = '/api/webhooks/test'
type Fields = Body<typeof PATH, 'post'>

export type WebhookFilter = Filter<Query<typeof PATH>, 'limit' | 'cursor' | 'workspaceId'>
export type WebhookInput = Input<Fields, 'name' | 'url' | 'events', 'workspaceId'>
export type WebhookChange = Input<Fields, 'id', 'name' | 'url' | 'events' | 'workspaceId'>
/** Names one webhook. */
export type WebhookId = Input<Fields, 'id', 'workspaceId'>
export type WebhookRotation = Input<Fields, 'id', 'graceSeconds' | 'workspaceId'>
export type DeliveryFilter = Input<
  Query<typeof DELIVERIES_PATH>,
  'webhookId',
  'state' | 'limit' | 'cursor' | 'workspaceId'
>
/** Names one delivery. */
export type DeliveryId = Input<Query<typeof DELIVERIES_PATH>, 'id', 'workspaceId'>
/** Set `deliveryId` for one delivery, or `since` for the failed ones. */
export type ResendInput = Input<
  Body<typeof RESEND_PATH, 'post'>,
  'id',
  'deliveryId' | 'since' | 'workspaceId'
>

export type Webhook = Schemas['Webhook']
export type WebhookEventType = Schemas['WebhookEventType']
export type Delivery = Schemas['Delivery']
/** A delivery with its body and the response to it. */
export type DeliveryWithContent = Schemas['DeliveryWithContent']
/** A webhook, and its signing secret: it is shown only once, and null for Discord. */
export type WebhookWithSecret = Result<typeof PATH, 'post'>
/** How many deliveries are sent again; `hasMore` is `'true'` if the request must be repeated for further ones. */
export type ResendResult = Result<typeof RESEND_PATH, 'post'>

/**
 * Where the events of a workspace are sent. Receivers check them with `verifyWebhook`. Responses with a secret are not stored by the
 * server, so `create`, `rotateSecret` and the other changes except `delete` are not sent again after a failure, unless `retries` is set for
 * the request.
 */
export class Webhooks {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the webhooks, newest first. */
  async list(
    filter: WebhookFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'webhooks'>> {
    const page = await this.#api.request('get', PATH, { query: filter }, options)
    return page as ResultWith<typeof PATH, 'get', 'webhooks'>
  }

  /** All webhooks, newest first. */
  listAll(filter: WebhookFilter = {}, options?: RequestOptions): AsyncGenerator<Webhook> {
    return this.#api.listAll(
      (cursor) => this.list({ ...filter, ...(cursor && { cursor }) }, options),
      ({ webhooks }) => webhooks,
    )
  }

  async get(query: WebhookId, options?: RequestOptions): Promise<Webhook> {
    const result = await this.#api.request('get', PATH, { query }, options)
    return (result as ResultWith<typeof PATH, 'get', 'webhook'>).webhook
  }

  /** Creates a webhook. Store the secret: it is shown only once. */
  create(input: WebhookInput, options?: RequestOptions): Promise<WebhookWithSecret> {
    return this.#api.request('post', PATH, { body: input }, options)
  }

  /** Changes what is set. */
  async update(input: WebhookChange, options?: RequestOptions): Promise<Webhook> {
    return (await this.#change({ ...input, action: 'update' }, options)).webhook
  }

  /** Stops sending until `resume`. */
  async pause(input: WebhookId, options?: RequestOptions): Promise<Webhook> {
    return (await this.#change({ ...input, action: 'pause' }, options)).webhook
  }

  /** Makes a paused or disabled webhook active again. */
  async resume(input: WebhookId, options?: RequestOptions): Promise<Webhook> {
    return (await this.#change({ ...input, action: 'resume' }, options)).webhook
  }

  /** Creates a new secret. The old one signs as well for `graceSeconds`, a day by default. */
  rotateSecret(input: WebhookRotation, options?: RequestOptions): Promise<WebhookWithSecret> {
    return this.#change({ ...input, action: 'rotate' }, options)
  }

  /** Permanently deletes a webhook and its deliveries. */
  async delete(query: WebhookId, options?: RequestOptions): Promise<Webhook> {
    return (await this.#api.request('delete', PATH, { query }, options)).webhook
  }

  /** The events that webhooks can receive, each with an example. */
  async listEventTypes(
    query: Filter<Query<typeof EVENTS_PATH>, 'workspaceId'> = {},
    options?: RequestOptions,
  ): Promise<WebhookEventType[]> {
    return (await this.#api.request('get', EVENTS_PATH, { query }, options)).events
  }

  /** A page of the deliveries of a webhook, newest first. */
  async listDeliveries(
    filter: DeliveryFilter,
    options?: RequestOptions,
  ): Promise<ResultWith<typeof DELIVERIES_PATH, 'get', 'deliveries'>> {
    const page = await this.#api.request('get', DELIVERIES_PATH, { query: filter }, options)
    return page as ResultWith<typeof DELIVERIES_PATH, 'get', 'deliveries'>
  }

  /** All deliveries of a webhook, newest first. */
  listAllDeliveries(filter: DeliveryFilter, options?: RequestOptions): AsyncGenerator<Delivery> {
    return this.#api.listAll(
      (cursor) => this.listDeliveries({ ...filter, ...(cursor && { cursor }) }, options),
      ({ deliveries }) => deliveries,
    )
  }

  /** A delivery with its body and the last response. */
  async getDelivery(query: DeliveryId, options?: RequestOptions): Promise<DeliveryWithContent> {
    const result = await this.#api.request('get', DELIVERIES_PATH, { query }, options)
    return (result as ResultWith<typeof DELIVERIES_PATH, 'get', 'delivery'>).delivery
  }

  /** Sends a test event once, also to a webhook that is paused or disabled. `getDelivery` returns the response to it. */
  async test(input: WebhookId, options?: RequestOptions): Promise<DeliveryWithContent> {
    return (await this.#api.request('post', TEST_PATH, { body: input }, options)).delivery
  }

  /** Sends one delivery again, or up to 500 that have failed since a time. */
  resend(input: ResendInput, options?: RequestOptions): Promise<ResendResult> {
    return this.#api.request('post', RESEND_PATH, { body: input }, options)
  }

  #change(body: Values, options: RequestOptions | undefined): Promise<WebhookWithSecret> {
    return this.#api.request('patch', PATH, { body }, options)
  }
}
