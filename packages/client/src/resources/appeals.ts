import type { Api, Result } from '../api.ts'
import type { Body, Input } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/appeals'
const FILES_PATH = '/api/appeals/files'
type Fields = Body<typeof PATH, 'post'>

export type AppealInput = Input<Fields, 'code' | 'message', 'answers' | 'workspaceId'>
export type AppealReplyInput = Input<Fields, 'code' | 'message', 'workspaceId'>
export type AppealCodeInput = Input<Fields, 'code', 'workspaceId'>

/** `data` is the content in base64. */
export type AppealFileInput = Input<Body<typeof FILES_PATH, 'post'>, 'code' | 'name' | 'data', 'workspaceId'>

/** A ban and its latest appeal, as the player may see them. */
export type PlayerAppeal = Result<typeof PATH, 'get'>

/** Appeals of bans, by the `appealCode` of the ban. Needs the permission `appeals.submit`. */
export class Appeals {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** The ban with a code, the questions to ask, and its latest appeal. @throws NotFoundError; RateLimitedError after too many wrong codes */
  get(
    query: { readonly code: string; readonly workspaceId?: string | undefined },
    options?: RequestOptions,
  ): Promise<PlayerAppeal> {
    return this.#api.request('get', PATH, { query: { ...query } }, options)
  }

  /** Submits an appeal. @throws NotAppealableError, AlreadyAppealedError, AppealWindowClosedError */
  submit(input: AppealInput, options?: RequestOptions): Promise<PlayerAppeal> {
    return this.#api.request('post', PATH, { body: { ...input, action: 'submit' } }, options)
  }

  /** Adds a message of the player. @throws ConflictError if no appeal is open */
  reply(input: AppealReplyInput, options?: RequestOptions): Promise<PlayerAppeal> {
    return this.#api.request('post', PATH, { body: { ...input, action: 'reply' } }, options)
  }

  /**
   * Sends a file of the player with the open appeal.
   * @throws ConflictError if the workspace receives no files, no appeal is open, or the ban has as many files as it can have
   */
  sendFile(input: AppealFileInput, options?: RequestOptions): Promise<PlayerAppeal> {
    return this.#api.request('post', FILES_PATH, { body: { ...input } }, options)
  }

  /** Takes the appeal back. @throws ConflictError if no appeal is open */
  withdraw(input: AppealCodeInput, options?: RequestOptions): Promise<PlayerAppeal> {
    return this.#api.request('post', PATH, { body: { ...input, action: 'withdraw' } }, options)
  }
}
