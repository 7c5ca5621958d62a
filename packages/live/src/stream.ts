import { findLastSequence } from '@reeve/audit'
import { findMembershipPermissions, isSessionActive, type MembershipPermissions } from '@reeve/auth'
import { type Actor, canReceive, type LiveResource, liveResources, type Ports } from '@reeve/core'
import type { Database, DataChange } from '@reeve/db'
import { findMissedChanges } from './missed-changes.ts'
import { addPending, affectedResources, type PendingChanges } from './pending-changes.ts'

/** How often what waits is told, at the most. */
const MIN_INTERVAL_MS = 200
/** A line that says nothing keeps the connection open through whatever lies between. */
const HEARTBEAT_MS = 15_000
/** How soon a browser that has lost the connection tries again. */
const RETRY_MS = 2000
/** How much may wait for a reader, in bytes: while there is more, changes gather here, one a resource. */
const BUFFER_BYTES = 256

const utf8 = new TextEncoder()

/** One reader of the changes of one workspace. Holds at most one word a resource, however slowly it is read. */
export class LiveStream {
  readonly actor: Actor
  readonly body: ReadableStream<Uint8Array>
  readonly #db: Database
  readonly #ports: Ports
  readonly #onEnd: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #pending: PendingChanges = new Map()
  #timer: ReturnType<typeof setTimeout> | null = null
  #sentAt = Number.NEGATIVE_INFINITY
  #lastWriteAt = performance.now()
  /** What the reader may do, as it knows: a change of that is told whatever it may see. */
  #permissionsKey: string

  constructor(db: Database, ports: Ports, actor: Actor, onEnd: () => void) {
    this.#db = db
    this.#ports = ports
    this.actor = actor
    this.#onEnd = onEnd
    this.#permissionsKey = toPermissionsKey(actor)
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#scheduleFlush(),
        cancel: () => this.end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    )
  }

  /** Says where the changes begin, and what may have changed since the number that the reader knows. */
  async start(after: number | null): Promise<void> {
    const { workspaceId } = this.actor
    const sequence = await findLastSequence(this.#db.read, workspaceId)
    this.#write(`retry: ${RETRY_MS}\n\n`)
    if (after !== null) {
      const missed = await findMissedChanges(this.#db.read, workspaceId, after, sequence)
      for (const [resource, { draftsOnly }] of missed) addPending(this.#pending, resource, draftsOnly)
      this.#write(this.#drainEvents(this.actor, sequence))
    }
    this.#write(`id: ${sequence}\n\n`)
  }

  /** Takes note of a change that has been committed. */
  enqueue(change: DataChange): void {
    for (const resource of affectedResources(change))
      addPending(this.#pending, resource, change.isDraft ?? false)
    this.#scheduleFlush()
  }

  /** Takes note that anything may have changed. */
  enqueueAll(): void {
    for (const resource of liveResources) addPending(this.#pending, resource, false)
    this.#scheduleFlush()
  }

  /** Ends where the session or the membership has ended; else keeps the connection alive. */
  async check(): Promise<void> {
    if ((await this.#checkAccess()) === null) return
    if (performance.now() - this.#lastWriteAt >= HEARTBEAT_MS && this.#hasCapacity()) this.#write(':\n\n')
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

  #hasCapacity(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  #scheduleFlush(): void {
    if (this.#timer !== null || this.#pending.size === 0 || !this.#hasCapacity()) return
    const delay = Math.max(0, this.#sentAt + MIN_INTERVAL_MS - performance.now())
    this.#timer = setTimeout(() => this.#flush(), delay)
  }

  async #flush(): Promise<void> {
    this.#sentAt = performance.now()
    const access = await this.#checkAccess()
    if (access === null) return
    try {
      // The number is read first: a change that comes in between is told under one that is too low, and then again.
      const sequence = await findLastSequence(this.#db.read, this.actor.workspaceId)
      this.#write(this.#drainEvents(access, sequence))
    } catch {
      this.end()
    }
    this.#timer = null
    this.#scheduleFlush()
  }

  /** What the reader may do now; null where it may not read any more, and the stream has ended. */
  async #checkAccess(): Promise<MembershipPermissions | null> {
    const { workspaceId, id, sessionId } = this.actor
    try {
      const access =
        sessionId !== null && (await isSessionActive(this.#db.read, this.#ports, sessionId))
          ? await findMembershipPermissions(this.#db.read, workspaceId, id)
          : null
      if (access === null) this.end()
      return access
    } catch {
      // Whoever comes back meets the failure at the gate, where it is reported.
      this.end()
      return null
    }
  }

  /** The events of what waits, as far as the reader may hear of it. */
  #drainEvents(access: MembershipPermissions, sequence: number): string {
    const resources: LiveResource[] = []
    for (const [resource, { draftsOnly }] of this.#pending) {
      if (canReceive(access, resource, draftsOnly)) resources.push(resource)
    }
    this.#pending.clear()
    if (toPermissionsKey(access) !== this.#permissionsKey && !resources.includes('members'))
      resources.push('members')
    this.#permissionsKey = toPermissionsKey(access)
    return resources
      .map((resource) => {
        const data = JSON.stringify({ resource, sequence: String(sequence) })
        return `id: ${sequence}\ndata: ${data}\n\n`
      })
      .join('')
  }

  #write(text: string): void {
    if (text === '' || this.#controller === null) return
    this.#lastWriteAt = performance.now()
    this.#controller.enqueue(utf8.encode(text))
  }
}

const toPermissionsKey = ({ permissions, rank }: MembershipPermissions): string =>
  `${rank} ${[...permissions].sort().join()}`
