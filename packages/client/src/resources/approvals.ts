import type { Api, Result, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/approvals'
type Fields = Body<typeof PATH, 'post'>

export type ApprovalFilter = Filter<Query<typeof PATH>, 'state' | 'limit' | 'cursor' | 'workspaceId'>
/** Names one request for approval. */
export type ApprovalId = Input<Fields, 'id', 'workspaceId'>
export type ApproveInput = Input<Fields, 'id', 'reason' | 'actorPlatformUserId' | 'workspaceId'>
export type RejectInput = Input<Fields, 'id' | 'reason', 'actorPlatformUserId' | 'workspaceId'>

/** A request for approval of a ban. */
export type Approval = Schemas['Approval']
/** The decided request, and the ban after it. */
export type ApprovalDecision = Result<typeof PATH, 'post'>

/** Bans that wait for the approval of another person. */
export class Approvals {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the approvals, the pending ones by their end, all others newest first. */
  list(
    filter: ApprovalFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'approvals'>> {
    return this.#api.read(PATH, 'approvals', filter, options)
  }

  /** All approvals, the pending ones by their end, all others newest first. */
  listAll(filter: ApprovalFilter = {}, options?: RequestOptions): AsyncGenerator<Approval> {
    return this.#api.readAll(PATH, 'approvals', filter, options)
  }

  async get(query: ApprovalId, options?: RequestOptions): Promise<Approval> {
    return (await this.#api.read(PATH, 'approval', query, options)).approval
  }

  /** Gives a ban the requested duration. @throws ForbiddenError to the person who requested it */
  approve(input: ApproveInput, options?: RequestOptions): Promise<ApprovalDecision> {
    return this.#api.request('post', PATH, { body: { ...input, action: 'approve' } }, options)
  }

  /** Ends a ban, or returns to the end of the one that it replaced. */
  reject(input: RejectInput, options?: RequestOptions): Promise<ApprovalDecision> {
    return this.#api.request('post', PATH, { body: { ...input, action: 'reject' } }, options)
  }
}
