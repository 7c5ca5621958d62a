import type { Api, Result } from '../api.ts'
import type { Filter, Query } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/insights'

/** By default the last 30 days. */
export type InsightsQuery = Filter<Query<typeof PATH>, 'from' | 'to' | 'workspaceId'>

/** Counts for each day, moderator and reason, and how quickly staff responded. */
export type InsightsResult = Result<typeof PATH, 'get'>

/** How much staff moderate, and how quickly they respond. */
export class Insights {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  read(query: InsightsQuery = {}, options?: RequestOptions): Promise<InsightsResult> {
    return this.#api.request('get', PATH, { query }, options)
  }
}
