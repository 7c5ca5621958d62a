import type { Api, Result, ResultWith } from '../api.ts'
import type { Schemas } from '../input.ts'
import type { RequestOptions } from '../options.ts'

const PATH = '/api/changes'
const SNAPSHOT_PATH = '/api/changes/snapshot'

/** A ban or mute in force. */
export type Sanction = Schemas['Sanction']
/** The new state of a kind of sanction of a player. */
export type Change = Schemas['Change']
export type SanctionKind = 'ban' | 'mute'

interface FeedQuery {
  /** Only these kinds. Default: both. */
  readonly kinds?: readonly SanctionKind[] | undefined
  readonly limit?: number | undefined
  readonly workspaceId?: string | undefined
}
export interface SnapshotQuery extends FeedQuery {
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}
export interface ChangesQuery extends FeedQuery {
  /** `sequence` of the snapshot, or `next` of the previous response. */
  readonly since: string
  /** `epoch` of the snapshot. */
  readonly epoch: string
  /** How many seconds the server waits for a change, up to 25. Default: 0. */
  readonly wait?: number | undefined
}

export type ChangesPage = Result<typeof PATH, 'get'>
export type SnapshotPage = ResultWith<typeof SNAPSHOT_PATH, 'get', 'sanctions'>

/** The changes of bans and mutes. `Reeve.follow` reads them for you. */
export class Changes {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** The changes since a snapshot or an earlier response. @throws CursorGoneError if the snapshot must be read again */
  list(query: ChangesQuery, options?: RequestOptions): Promise<ChangesPage> {
    return this.#api.request('get', PATH, { query: { ...query } }, options)
  }

  /** A page of the bans and mutes in force. */
  async getSnapshot(query: SnapshotQuery = {}, options?: RequestOptions): Promise<SnapshotPage> {
    const page = await this.#api.request('get', SNAPSHOT_PATH, { query: { ...query } }, options)
    return page as SnapshotPage
  }
}
