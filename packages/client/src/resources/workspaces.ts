import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas, Values } from '../input.ts'
import type { RequestOptions } from '../options.ts'
import { sleep } from '../retry.ts'

const PATH = '/api/workspaces'
type Fields = Body<typeof PATH, 'post'>
type Pages = Filter<Query<typeof PATH>, 'limit' | 'cursor'>

export type WorkspaceInput = Input<Fields, 'groupName'>
export type WorkspaceChange = Input<Fields, 'id' | 'groupName'>
/** Names one workspace. */
export type WorkspaceId = Input<Fields, 'id'>
export type CopyInput = Input<Fields, 'fromArchive', 'groupName'>
export type RollBackInput = Input<Fields, 'id' | 'fromArchive'>
export type ArchiveFilter = Filter<Query<typeof PATH>, 'id' | 'limit' | 'cursor'>

export type Workspace = Schemas['Workspace']
export type Archive = Schemas['Archive']
export type Job = Schemas['Job']

/** A workspace with its unfinished or last job; null if it never had one. */
export type WorkspaceWithJob = ResultWith<typeof PATH, 'get', 'workspace'>

const POLL_INTERVAL_MS = 1000
const UNFINISHED_STATES: readonly string[] = ['queued', 'running'] satisfies Job['state'][]

/** Workspaces and their archives. */
export class Workspaces {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the workspaces that the API key can see. */
  list(filter: Pages = {}, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'get', 'workspaces'>> {
    return this.#read(filter, options)
  }

  get(query: WorkspaceId, options?: RequestOptions): Promise<WorkspaceWithJob> {
    return this.#read(query, options)
  }

  /** A page of the archives of a workspace; without `id` that of the API key. */
  listArchives(
    filter: ArchiveFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'archives'>> {
    return this.#read({ ...filter, archives: true }, options)
  }

  async create(input: WorkspaceInput, options?: RequestOptions): Promise<Workspace> {
    return (await this.#act('create', input, options)).workspace
  }

  async rename(input: WorkspaceChange, options?: RequestOptions): Promise<Workspace> {
    return (await this.#act('rename', input, options)).workspace
  }

  /** Starts to archive a workspace, which is read-only from now on. `waitForJob` waits until the archive is ready. */
  archive(input: WorkspaceId, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'post', 'archive'>> {
    return this.#act('archive', input, options)
  }

  /** Restores an archived workspace as it is. */
  async restore(input: WorkspaceId, options?: RequestOptions): Promise<Workspace> {
    return (await this.#act('restore', input, options)).workspace
  }

  /** Starts to create a workspace with the content of an archive. `waitForJob` waits until it exists. */
  copy(input: CopyInput, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'post', 'job'>> {
    return this.#act('create', input, options)
  }

  /** Starts to roll an archived workspace back to one of its archives. `waitForJob` waits until it is done. */
  rollBack(input: RollBackInput, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'post', 'job'>> {
    return this.#act('restore', input, options)
  }

  /** Waits until a workspace has no unfinished job. @returns its last job, which may have failed; null if it never had one */
  async waitForJob(query: WorkspaceId, options?: RequestOptions): Promise<Job | null> {
    for (;;) {
      const { job } = await this.get(query, options)
      if (job === null || !UNFINISHED_STATES.includes(job.state)) return job
      await sleep(POLL_INTERVAL_MS, options?.signal)
    }
  }

  async #read<Body>(query: Values, options: RequestOptions | undefined): Promise<Body> {
    return (await this.#api.request('get', PATH, { query }, options)) as Body
  }

  async #act<Body extends { readonly workspace: Workspace }>(
    action: string,
    input: Values,
    options: RequestOptions | undefined,
  ): Promise<Body> {
    return (await this.#api.request('post', PATH, { body: { ...input, action } }, options)) as Body
  }
}
