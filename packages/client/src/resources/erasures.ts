import type { Api, ResultWith } from '../api.ts'
import type { Body, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/erasures'
const PREVIEW_PATH = '/api/moderation/erasures/preview'

export type ErasureFilter = Input<Query<typeof PATH>, never, 'limit' | 'cursor' | 'workspaceId'>
export type ErasureInput = Input<
  Body<typeof PATH, 'post'>,
  'userId' | 'confirmUserId' | 'mode' | 'reason',
  'workspaceId'
>
/** Names one erasure. */
export type ErasureId = Input<Query<typeof PATH>, 'id', 'workspaceId'>
export type ErasurePreviewQuery = Input<Query<typeof PREVIEW_PATH>, 'userId', 'workspaceId'>

export type Erasure = Schemas['Erasure']
export type ErasurePreview = Schemas['ErasurePreview']

/** Players who asked that what is stored about them is erased. */
export class Erasures {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the erasures, newest first. */
  list(
    filter: ErasureFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'erasures'>> {
    return this.#api.read(PATH, 'erasures', filter, options)
  }

  /** All erasures, newest first. */
  listAll(filter: ErasureFilter = {}, options?: RequestOptions): AsyncGenerator<Erasure> {
    return this.#api.readAll(PATH, 'erasures', filter, options)
  }

  /** What was erased, once `state` is `succeeded`. */
  async get(query: ErasureId, options?: RequestOptions): Promise<Erasure> {
    return (await this.#api.read(PATH, 'erasure', query, options)).erasure
  }

  /** Counts what an erasure of a player would remove. */
  async preview(query: ErasurePreviewQuery, options?: RequestOptions): Promise<ErasurePreview> {
    return (await this.#api.read(PREVIEW_PATH, 'preview', query, options)).preview
  }

  /** Erases a player, which cannot be undone. Not sent again after a failure, unless `retries` is set. */
  create(input: ErasureInput, options?: RequestOptions): Promise<Erasure> {
    return this.#api.write(PATH, 'erasure', input, options)
  }
}
