import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/events'
type Fields = Body<typeof PATH, 'post'>
/** Everything but the second spelling of `imageUrl`. */
type Optional = Exclude<keyof Fields, 'id' | 'image_url'>

export type EventFilter = Filter<
  Query<typeof PATH>,
  'from' | 'to' | 'endsAfter' | 'eventType' | 'published' | 'status' | 'limit' | 'cursor' | 'workspaceId'
>
export type EventInput = Input<Fields, 'title' | 'scheduledFor', Exclude<Optional, 'title' | 'scheduledFor'>>
export type EventChange = Input<Fields, 'id', Optional>
/** Names one event. */
export type EventId = Input<Fields, 'id', 'workspaceId'>

export type ScheduledEvent = Schemas['Event']

/** Scheduled events, including trainings. */
export class Events {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the events, soonest first. */
  async list(
    filter: EventFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'events'>> {
    const page = await this.#api.request('get', PATH, { query: filter }, options)
    return page as ResultWith<typeof PATH, 'get', 'events'>
  }

  /** All events, soonest first. */
  listAll(filter: EventFilter = {}, options?: RequestOptions): AsyncGenerator<ScheduledEvent> {
    return this.#api.listAll(
      (cursor) => this.list({ ...filter, ...(cursor && { cursor }) }, options),
      ({ events }) => events,
    )
  }

  async get(query: EventId, options?: RequestOptions): Promise<ScheduledEvent> {
    const result = await this.#api.request('get', PATH, { query }, options)
    return (result as ResultWith<typeof PATH, 'get', 'event'>).event
  }

  async create(input: EventInput, options?: RequestOptions): Promise<ScheduledEvent> {
    return (await this.#api.request('post', PATH, { body: input }, options)).event
  }

  /** Changes what is set; `null` clears a field. */
  async update(input: EventChange, options?: RequestOptions): Promise<ScheduledEvent> {
    return (await this.#api.request('patch', PATH, { body: input }, options)).event
  }

  /** Permanently deletes an event. */
  async delete(query: EventId, options?: RequestOptions): Promise<ScheduledEvent> {
    return (await this.#api.request('delete', PATH, { query }, options)).event
  }
}
