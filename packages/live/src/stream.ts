import { isSessionAlive, type Standing, standingOf } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import type { Change, Database } from '@reeve/db'
import { missedSince, sequenceOf } from './missed.ts'
import { addTo, type LiveResource, liveResources, mayHear, type Pending, resourcesOf } from './resource.ts'

/** How often what waits is told, at the most. */
const PACE_MS = 200
/** A line that says nothing keeps the connection open through whatever lies between. */
const HEARTBEAT_MS = 15_000
/** How soon a browser that has lost the connection tries again. */
const RETRY_MS = 2000
/** How much may wait for a reader, in bytes: while there is more, changes gather here, one a resource. */
const ROOM_BYTES = 256

const utf8 = new TextEncoder()

/** One reader of the changes of one workspace. Holds at most one word a resource, however slowly it is read. */
export class LiveStream {
  readonly actor: Actor
  readonly body: ReadableStream<Uint8Array>
  readonly #db: Database
  readonly #ports: Ports
  readonly #onEnd: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #pending: Pending = new Map()
  #timer: ReturnType<typeof setTimeout> | null = null
  #toldAt = Number.NEGATIVE_INFINITY
  #wroteAt = performance.now()
  /** What the reader may do, as it knows: a change of that is told whatever it may see. */
  #standing: string

  constructor(db: Database, ports: Ports, actor: Actor, onEnd: () => void) {
    this.#db = db
    this.#ports = ports
    this.actor = actor
    this.#onEnd = onEnd
    this.#standing = textOf(actor)
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#tellSoon(),
        cancel: () => this.end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: ROOM_BYTES }),
    )
  }

  /** Says where the changes begin, and what may have changed since the number that the reader knows. */
  async begin(after: number | null): Promise<void> {
    const { workspaceId } = this.actor
    const sequence = await sequenceOf(this.#db.read, workspaceId)
    this.#write(`retry: ${RETRY_MS}\n\n`)
    if (after !== null) {
      const missed = await missedSince(this.#db.read, workspaceId, after, sequence)
      for (const [resource, { draftsOnly }] of missed) addTo(this.#pending, resource, draftsOnly)
      this.#write(this.#told(this.actor, sequence))
    }
    this.#write(`id: ${sequence}\n\n`)
  }

  /** Takes note of a change that has been committed. */
  note(change: Change): void {
    for (const resource of resourcesOf(change)) addTo(this.#pending, resource, change.isDraft ?? false)
    this.#tellSoon()
  }

  /** Takes note that anything may have changed. */
  noteAll(): void {
    for (const resource of liveResources) addTo(this.#pending, resource, false)
    this.#tellSoon()
  }

  /** Ends where the session or the membership has ended; else keeps the connection alive. */
  async check(): Promise<void> {
    if ((await this.#admitted()) === null) return
    if (performance.now() - this.#wroteAt >= HEARTBEAT_MS && this.#hasRoom()) this.#write(':\n\n')
  }

  end(): void {
    if (this.#controller === null) return
    const controller = this.#controller
    this.#controller = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    try {
      controller.close()
    } catch {
      // The reader has closed it already.
    }
    this.#onEnd()
  }

  #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  #tellSoon(): void {
    if (this.#timer !== null || this.#pending.size === 0 || !this.#hasRoom()) return
    const wait = Math.max(0, this.#toldAt + PACE_MS - performance.now())
    this.#timer = setTimeout(() => this.#tell(), wait)
  }

  async #tell(): Promise<void> {
    this.#toldAt = performance.now()
    const standing = await this.#admitted()
    if (standing === null) return
    try {
      // The number is read first: a change that comes in between is told under one that is too low, and then again.
      const sequence = await sequenceOf(this.#db.read, this.actor.workspaceId)
      this.#write(this.#told(standing, sequence))
    } catch {
      this.end()
    }
    this.#timer = null
    this.#tellSoon()
  }

  /** What the reader may do now; null where it may not read any more, and the stream has ended. */
  async #admitted(): Promise<Standing | null> {
    const { workspaceId, id, sessionId } = this.actor
    try {
      const standing =
        sessionId !== null && (await isSessionAlive(this.#db.read, this.#ports, sessionId))
          ? await standingOf(this.#db.read, workspaceId, id)
          : null
      if (standing === null) this.end()
      return standing
    } catch {
      // Whoever comes back meets the failure at the gate, where it is reported.
      this.end()
      return null
    }
  }

  /** The events of what waits, as far as the reader may hear of it. */
  #told(standing: Standing, sequence: number): string {
    const heard: LiveResource[] = []
    for (const [resource, { draftsOnly }] of this.#pending) {
      if (mayHear(standing, resource, draftsOnly)) heard.push(resource)
    }
    this.#pending.clear()
    if (textOf(standing) !== this.#standing && !heard.includes('members')) heard.push('members')
    this.#standing = textOf(standing)
    return heard
      .map((resource) => {
        const data = JSON.stringify({ resource, sequence: String(sequence) })
        return `id: ${sequence}\ndata: ${data}\n\n`
      })
      .join('')
  }

  #write(text: string): void {
    if (text === '' || this.#controller === null) return
    this.#wroteAt = performance.now()
    this.#controller.enqueue(utf8.encode(text))
  }
}

const textOf = ({ permissions, rank }: Standing): string => `${rank} ${[...permissions].sort().join()}`
