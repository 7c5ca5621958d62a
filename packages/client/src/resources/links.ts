import type { Api, ResultWith } from '../api.ts'
import type { Body, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/links'
type Fields = Body<typeof PATH, 'post'>

/** The links of one player (`userId`) are not paged. */
export type LinkFilter = Input<Query<typeof PATH>, never, 'userId' | 'limit' | 'cursor' | 'workspaceId'>
export type LinkInput = Input<Fields, 'userId' | 'linkedUserId' | 'confidence' | 'reason', 'workspaceId'>
export type LinkChange = Input<Fields, 'id', 'confidence' | 'reason' | 'workspaceId'>
/** Names one link. */
export type LinkId = Input<Fields, 'id', 'workspaceId'>

export type Link = Schemas['Link']

/** Which players may be the same person. A link bans nobody. */
export class Links {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the links, newest first. */
  list(filter: LinkFilter = {}, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'get', 'links'>> {
    return this.#api.read(PATH, 'links', filter, options)
  }

  /** All links, newest first. */
  listAll(filter: LinkFilter = {}, options?: RequestOptions): AsyncGenerator<Link> {
    return this.#api.readAll(PATH, 'links', filter, options)
  }

  async get(query: LinkId, options?: RequestOptions): Promise<Link> {
    return (await this.#api.read(PATH, 'link', query, options)).link
  }

  /** Links two players. */
  create(input: LinkInput, options?: RequestOptions): Promise<Link> {
    return this.#api.write(PATH, 'link', input, options)
  }

  /** Changes what is set. */
  update(input: LinkChange, options?: RequestOptions): Promise<Link> {
    return this.#api.write(PATH, 'link', { ...input, action: 'update' }, options)
  }

  /** Permanently deletes a link. */
  delete(input: LinkId, options?: RequestOptions): Promise<Link> {
    return this.#api.write(PATH, 'link', { ...input, action: 'delete' }, options)
  }
}
