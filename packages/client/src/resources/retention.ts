import type { Api, Result } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/retention'
const PREVIEW_PATH = '/api/moderation/retention/preview'
type Days = 'noteDays' | 'warnDays' | 'kickDays' | 'muteDays' | 'banDays'

export type RetentionQuery = Filter<Query<typeof PATH>, 'workspaceId'>
/** The days of each action; `null` keeps its records, and what is not set stays as it is. */
export type RetentionInput = Input<Body<typeof PATH, 'post'>, never, Days | 'workspaceId'>
/** The days of each action; what is not set is kept. */
export type RetentionPreview = Filter<Query<typeof PREVIEW_PATH>, Days | 'workspaceId'>

export type RetentionRules = Schemas['Retention']

/** After how many days records are deleted. */
export class Retention {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  read(query: RetentionQuery = {}, options?: RequestOptions): Promise<Result<typeof PATH, 'get'>> {
    return this.#api.request('get', PATH, { query }, options)
  }

  /** Counts the records that the next run would delete with these rules. */
  preview(rules: RetentionPreview, options?: RequestOptions): Promise<Result<typeof PREVIEW_PATH, 'get'>> {
    return this.#api.request('get', PREVIEW_PATH, { query: rules }, options)
  }

  /** Sets rules, which apply from the next midnight in UTC on. */
  set(input: RetentionInput, options?: RequestOptions): Promise<RetentionRules> {
    return this.#api.write(PATH, 'retention', { ...input }, options)
  }
}
