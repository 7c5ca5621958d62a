import type { Api, ResultWith } from '../api.ts'
import type { Body, Filter, Input, Query, Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/moderation/batches'
type Fields = Body<typeof PATH, 'post'>
/** What actions may have, as in the single action. */
type Details =
  | 'userIds'
  | 'recordIds'
  | 'templateId'
  | 'reason'
  | 'severity'
  | 'evidence'
  | 'durationSeconds'
  | 'value'
  | 'sequence'
  | 'actorPlatformUserId'
  | 'actorUsername'
  | 'workspaceId'

export type BatchFilter = Filter<Query<typeof PATH>, 'limit' | 'cursor' | 'workspaceId'>
/** Names one batch, and selects its results. */
export type BatchQuery = Input<Query<typeof PATH>, 'id', 'result' | 'limit' | 'cursor' | 'workspaceId'>
/** A moderation action with its fields; without `action`, the ladder of the template decides for each player. */
export type BatchInput = Input<Fields, 'action', Details> | Input<Fields, 'templateId' | 'userIds', Details>
export type UndoInput = Input<Fields, 'actorUserId' | 'since' | 'reason', 'workspaceId'>
export type ReverseInput = Input<Fields, 'id' | 'reason', 'workspaceId'>
/** Names one batch. */
export type BatchId = Input<Fields, 'id', 'workspaceId'>
/** What to start, or `undo` or `reverse` with its fields. */
export type BatchPreviewInput = BatchInput | Input<Fields, 'action', Details | 'actorUserId' | 'since' | 'id'>

export type Batch = Schemas['Batch']
/** What a batch would do. */
export type BatchPreview = Schemas['BatchPreview']
/** What became of one player or record. */
export type BatchResult = Schemas['Result']

/** Actions on many players or records, and their reversal. The server does them in the background: `get` returns the progress. */
export class Batches {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** A page of the batches, newest first. */
  list(
    filter: BatchFilter = {},
    options?: RequestOptions,
  ): Promise<ResultWith<typeof PATH, 'get', 'batches'>> {
    return this.#api.read(PATH, 'batches', filter, options)
  }

  /** All batches, newest first. */
  listAll(filter: BatchFilter = {}, options?: RequestOptions): AsyncGenerator<Batch> {
    return this.#api.readAll(PATH, 'batches', filter, options)
  }

  /** A batch and a page of its results, in the order of the work. It has ended once `finishedAt` is set. */
  get(query: BatchQuery, options?: RequestOptions): Promise<ResultWith<typeof PATH, 'get', 'results'>> {
    return this.#api.read(PATH, 'results', query, options)
  }

  /** All results of a batch, in the order of the work. */
  listAllResults(query: BatchQuery, options?: RequestOptions): AsyncGenerator<BatchResult> {
    return this.#api.readAll(PATH, 'results', query, options)
  }

  /** Starts an action on up to 500 players (`userIds`) or records (`recordIds`). */
  start(input: BatchInput, options?: RequestOptions): Promise<Batch> {
    return this.#api.write(PATH, 'batch', input, options)
  }

  /** Undoes what an account or API key has done since a time. */
  undo(input: UndoInput, options?: RequestOptions): Promise<Batch> {
    return this.#api.write(PATH, 'batch', { ...input, action: 'undo' }, options)
  }

  /** Reverses a batch that has ended. */
  reverse(input: ReverseInput, options?: RequestOptions): Promise<Batch> {
    return this.#api.write(PATH, 'batch', { ...input, action: 'reverse' }, options)
  }

  /** Cancels a batch that has not ended; what it has done stays. */
  cancel(input: BatchId, options?: RequestOptions): Promise<Batch> {
    return this.#api.write(PATH, 'batch', { ...input, action: 'cancel' }, options)
  }

  /** What a batch would do; changes nothing. */
  preview(input: BatchPreviewInput, options?: RequestOptions): Promise<BatchPreview> {
    return this.#api.write(PATH, 'preview', { ...input, dryRun: true }, options)
  }
}
