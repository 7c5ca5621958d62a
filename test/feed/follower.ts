import { decodeIds } from '../support/decode-ids.ts'

/** Sends a read to one of the servers. */
export type Read = (path: string, query: Readonly<Record<string, string>>) => Promise<ReadResponse>

export interface ReadResponse {
  readonly status: number
  // The follower reads bodies of several shapes.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

/** The sanctions in force by kind and player, with their expiry. */
export type Sanctions = ReadonlyMap<string, string | null>

/** Follows the bans and mutes of a workspace as docs/api.md describes it. */
export class Follower {
  readonly #read: Read
  #sanctions = new Map<string, string | null>()
  #position: { since: string; epoch: string } | null = null
  /** How often it has read the snapshot. */
  snapshots = 0

  constructor(read: Read) {
    this.#read = read
  }

  /** What the server has said, with expiries rounded up to seconds, as `format=ids` has them; also what has expired since. */
  listSanctions(): Sanctions {
    return this.#sanctions
  }

  /**
   * Reads changes until there are no more.
   * @param usesIds whether a snapshot is read as ids
   */
  async catchUp(usesIds: boolean, wait = '0'): Promise<void> {
    for (;;) {
      this.#position ??= await this.#readSnapshot(usesIds)
      // The snapshot was gone before its last page.
      if (this.#position === null) continue
      const { status, body } = await this.#read('/api/changes', { ...this.#position, limit: '3', wait })
      if (status === 410) {
        this.#position = null
        continue
      }
      if (status !== 200) throw new Error(`the feed returned ${status}: ${JSON.stringify(body)}`)
      for (const { op, kind, userId, expiresAt } of body.changes) {
        if (op === 'set') this.#sanctions.set(`${kind} ${userId}`, roundUp(expiresAt))
        else this.#sanctions.delete(`${kind} ${userId}`)
      }
      this.#position = { since: body.next, epoch: body.epoch }
      if (body.more === 'false') return
    }
  }

  async #readSnapshot(usesIds: boolean): Promise<{ since: string; epoch: string } | null> {
    this.snapshots += 1
    this.#sanctions = new Map()
    let first: { since: string; epoch: string } | null = null
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body }: ReadResponse = await this.#read('/api/changes/snapshot', {
        ...(usesIds ? { format: 'ids' } : { limit: '5', ...(cursor && { cursor }) }),
      })
      if (status === 410) return null
      if (status !== 200) throw new Error(`the snapshot returned ${status}: ${JSON.stringify(body)}`)
      first ??= { since: body.sequence, epoch: body.epoch }
      for (const set of body.sets ?? [])
        for (const [userId, expiresAt] of decodeIds(set))
          this.#sanctions.set(`${set.kind} ${userId}`, expiresAt)
      for (const { kind, userId, expiresAt } of body.sanctions ?? [])
        this.#sanctions.set(`${kind} ${userId}`, roundUp(expiresAt))
      cursor = body.nextCursor ?? null
    }
    return first
  }
}

/** A time rounded up to seconds. */
export const roundUp = (time: string | null): string | null =>
  time === null ? null : new Date(Math.ceil(Date.parse(time) / 1000) * 1000).toISOString()
