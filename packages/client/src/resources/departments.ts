import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas, Values } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/departments'
type Fields = Body<typeof PATH, 'post'>

export type DepartmentFilter = Filter<Query<typeof PATH>, 'deleted' | 'limit' | 'cursor' | 'workspaceId'>
export type DepartmentInput = Input<Fields, 'name', 'color' | 'description' | 'workspaceId'>
export type DepartmentChange = Input<Fields, 'id', 'name' | 'color' | 'description' | 'workspaceId'>
/** Names one resource. */
export type DepartmentId = Input<Fields, 'id', 'workspaceId'>

export type Department = Schemas['Department']

/** The departments of a workspace. */
export class Departments {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the departments, by name. */
  async list(
    filter: DepartmentFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'departments'>> {
    const page = await this.#api.request('get', PATH, { query: filter }, options)
    return page as ResultWith<typeof PATH, 'get', 'departments'>
  }

  /** All departments, by name. */
  listAll(filter: DepartmentFilter = {}, options?: RequestOptions): AsyncGenerator<Department> {
    return this.#api.listAll(
      (cursor) => this.list({ ...filter, ...(cursor && { cursor }) }, options),
      ({ departments }) => departments,
    )
  }

  async get(query: DepartmentId, options?: RequestOptions): Promise<Department> {
    const result = await this.#api.request('get', PATH, { query }, options)
    return (result as ResultWith<typeof PATH, 'get', 'department'>).department
  }

  async create(input: DepartmentInput, options?: RequestOptions): Promise<Department> {
    return (await this.#api.request('post', PATH, { body: input }, options)).department
  }

  /** Changes what is set; `null` clears a field. */
  update(input: DepartmentChange, options?: RequestOptions): Promise<Department> {
    return this.#change(input, options)
  }

  /** Deletes a department; `restore` brings it back. */
  async delete(query: DepartmentId, options?: RequestOptions): Promise<Department> {
    return (await this.#api.request('delete', PATH, { query }, options)).department
  }

  /** Restores a deleted department. */
  restore(input: DepartmentId, options?: RequestOptions): Promise<Department> {
    return this.#change({ ...input, action: 'restore' }, options)
  }

  async #change(body: Values, options: RequestOptions | undefined): Promise<Department> {
    return (await this.#api.request('patch', PATH, { body }, options)).department
  }
}
