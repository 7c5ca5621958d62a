import { findLastSequence } from '@reeve/audit'
import {
  findMembershipPermissions,
  isSessionActive,
  isWorkspaceOpenTo,
  type MembershipPermissions,
} from '@reeve/auth'
import { type Actor, canReceive, type LiveResource, liveResources, type Ports } from '@reeve/core'
import type { Database, DataChange } from '@reeve/db'
import { findMissedChanges } from './missed-changes.ts'
import { addPending, affectedResources, type PendingChanges } from './pending-changes.ts'

/** Minimum time between two batches of events. */
const MIN_INTERVAL_MS = 200
/** An event at this interval keeps the connection open through proxies, and tells the reader that it is: browsers hide comments. */
const HEARTBEAT_MS = 15_000
/** The delay before a browser reconnects. */
const RETRY_MS = 2000
/** The delay before a browser reconnects a stream that was ended in favor of another one. */
const EVICTED_RETRY_MS = 30_000
/** How many bytes are buffered for a slow reader; beyond that, changes are merged per resource. */
const BUFFER_BYTES = 256

/** Differs from all permissions, so that the reader is told to read theirs. */
const UNKNOWN_PERMISSIONS = ''

const utf8 = new TextEncoder()

/** The stream of one reader of a workspace. A slow reader costs at most one pending change per resource. */
export class LiveStream {
  readonly actor: Actor
  readonly sessionId: string
  readonly body: ReadableStream<Uint8Array>
  readonly #db: Database
  readonly #ports: Ports
  readonly #onEnd: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #pending: PendingChanges = new Map()
  #timer: ReturnType<typeof setTimeout> | null = null
  #sentAt = Number.NEGATIVE_INFINITY
  #lastWriteAt = performance.now()
  /** The permissions, rank and limits last sent: any change of them is sent to the reader. */
  #permissionsKey: string

  constructor(db: Database, ports: Ports, actor: Actor, onEnd: () => void) {
    this.#db = db
    this.#ports = ports
    this.actor = actor
    this.sessionId = actor.sessionId ?? ''
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

  /** Sends the changes since the last sequence that the reader knows, and the current sequence. */
  async start(after: number | null): Promise<void> {
    const { workspaceId } = this.actor
    const sequence = await findLastSequence(this.#db.read, workspaceId)
    this.#write(`retry: ${RETRY_MS}\n\n`)
    if (after !== null) {
      const missed = await findMissedChanges(this.#db.read, workspaceId, after, sequence)
      for (const [resource, { draftsOnly }] of missed) addPending(this.#pending, resource, draftsOnly)
      // The change may be one of the reader's own permissions, which they now have already.
      if (missed.has('members')) this.#permissionsKey = UNKNOWN_PERMISSIONS
      this.#write(this.#drainEvents(this.actor, sequence))
    }
    this.#write(`id: ${sequence}\n\n`)
  }

  /** Queues a committed change. A reader who may have lost the membership is checked at once, even if they read slowly. */
  enqueue(change: DataChange): void {
    if (change.kind === 'member' && change.id === this.actor.id) void this.#checkAccess()
    for (const resource of affectedResources(change))
      addPending(this.#pending, resource, change.isDraft ?? false)
    this.#scheduleFlush()
  }

  /** Queues a change of every resource, the membership of the reader included. */
  enqueueAll(): void {
    void this.#checkAccess()
    for (const resource of liveResources) addPending(this.#pending, resource, false)
    this.#scheduleFlush()
  }

  /** Sends a heartbeat if one is due. */
  sendHeartbeat(): void {
    if (performance.now() - this.#lastWriteAt >= HEARTBEAT_MS && this.#hasCapacity())
      this.#write('event: heartbeat\ndata: {}\n\n')
  }

  /** Ends the stream in favor of another one, and tells the reader to wait before reconnecting, so that streams do not take turns. */
  evict(): void {
    this.#write(`retry: ${EVICTED_RETRY_MS}\nevent: evicted\ndata: {}\n\n`)
    this.end()
  }

  end(): void {
    if (this.#controller === null) return
    const controller = this.#controller
    this.#controller = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    try {
      controller.close()
    } catch {
      // Already closed by the reader.
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
    try {
      const access = await this.#checkAccess()
      if (access === null) return
      // The sequence is read first: a change in between is sent with a sequence that is too low, and then again.
      const sequence = await findLastSequence(this.#db.read, this.actor.workspaceId)
      this.#write(this.#drainEvents(access, sequence))
    } catch {
      this.end()
    } finally {
      this.#timer = null
    }
    this.#scheduleFlush()
  }

  /** The current permissions of the reader; null if they lost access, in which case the stream has ended. */
  async #checkAccess(): Promise<MembershipPermissions | null> {
    const { workspaceId, id } = this.actor
    try {
      const access = (await isSessionActive(this.#db.read, this.#ports, this.sessionId))
        ? await findMembershipPermissions(this.#db.read, workspaceId, id)
        : null
      if (access && (await isWorkspaceOpenTo(this.#db.read, access, this.sessionId, this.#ports.now())))
        return access
      this.end()
      return null
    } catch {
      // The next request of the reader fails in the gate, which reports the error.
      this.end()
      return null
    }
  }

  /** Removes the pending changes and formats those that the reader can receive. */
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
    try {
      this.#controller.enqueue(utf8.encode(text))
    } catch {
      // Closed by the reader in the meantime.
      this.end()
    }
  }
}

const toPermissionsKey = ({ permissions, rank, limits }: MembershipPermissions): string =>
  JSON.stringify([rank, [...permissions].sort(), [...limits].sort()])
