import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/_workspace-permissions'
type Fields = Body<typeof PATH, 'post'>

export type RoleId = Input<Fields, 'roleId', 'workspaceId'>
export type RolePermissions = Input<Fields, 'roleId' | 'permissions', 'workspaceId'>

export type Role = Schemas['Role']

/** The roles of a workspace and their permissions. */
export class Roles {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** All roles, and every permission with its description. */
  async list(
    query: Filter<Query<typeof PATH>, 'workspaceId'> = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'roles'>> {
    const result = await this.#api.request('get', PATH, { query }, options)
    return result as ResultWith<typeof PATH, 'get', 'roles'>
  }

  async get(query: RoleId, options?: RequestOptions): Promise<Role> {
    const result = await this.#api.request('get', PATH, { query }, options)
    return (result as ResultWith<typeof PATH, 'get', 'role'>).role
  }

  /** Replaces all permissions of a role. */
  async setPermissions(input: RolePermissions, options?: RequestOptions): Promise<Role> {
    return (await this.#api.request('post', PATH, { body: input }, options)).role
  }
}
