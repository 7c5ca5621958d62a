import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/templates'
type Fields = Body<typeof PATH, 'post'>
type Details = 'defaultSeverity' | 'appealable' | 'appealAfterDays' | 'ladderId' | 'workspaceId'

export type TemplateFilter = Filter<Query<typeof PATH>, 'archived' | 'limit' | 'cursor' | 'workspaceId'>
export type TemplateInput = Input<Fields, 'name' | 'publicReason', Details>
export type TemplateChange = Input<Fields, 'id', 'name' | 'publicReason' | Details>
/** Names one template. */
export type TemplateId = Input<Fields, 'id', 'workspaceId'>
export type TemplateOrder = Input<Fields, 'ids', 'workspaceId'>

export type Template = Schemas['Template']

/** The reasons that staff choose, with the text for players. */
export class Templates {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the templates, in their order. */
  list(
    filter: TemplateFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'templates'>> {
    return this.#api.read(PATH, 'templates', filter, options)
  }

  /** All templates, in their order. */
  listAll(filter: TemplateFilter = {}, options?: RequestOptions): AsyncGenerator<Template> {
    return this.#api.readAll(PATH, 'templates', filter, options)
  }

  /** A template and its earlier versions. */
  get(query: TemplateId, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'get', 'versions'>> {
    return this.#api.read(PATH, 'versions', query, options)
  }

  create(input: TemplateInput, options?: RequestOptions): Promise<Template> {
    return this.#api.write(PATH, 'template', input, options)
  }

  /** Changes what is set; `null` clears a field. */
  update(input: TemplateChange, options?: RequestOptions): Promise<Template> {
    return this.#api.write(PATH, 'template', { ...input, action: 'update' }, options)
  }

  /** Archives a template; `restore` brings it back. */
  archive(input: TemplateId, options?: RequestOptions): Promise<Template> {
    return this.#api.write(PATH, 'template', { ...input, action: 'archive' }, options)
  }

  /** Restores an archived template. */
  restore(input: TemplateId, options?: RequestOptions): Promise<Template> {
    return this.#api.write(PATH, 'template', { ...input, action: 'restore' }, options)
  }

  /** Sorts the templates. @param input its `ids` contain every template that is not archived, once */
  order({ ids, ...input }: TemplateOrder, options?: RequestOptions): Promise<Template[]> {
    return this.#api.write(PATH, 'templates', { ...input, ids: String(ids), action: 'order' }, options)
  }
}
