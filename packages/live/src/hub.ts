import { listActiveSessionIds } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { findStreamToEnd } from './limits.ts'
import { LiveStream } from './stream.ts'

/** How often the session of every reader is checked: a stream ends within a second after its session. */
const CHECK_INTERVAL_MS = 500

export interface Hub {
  /**
   * Opens a stream of the changes of the actor's workspace. It may end another one; see `findStreamToEnd`.
   * @param after the sequence of the last change that the reader knows; null if it has just loaded everything
   * @param signal aborted when the reader disconnects; the only sign of it before the first read
   * @throws AppError `unavailable` during shutdown
   */
  readonly open: (
    actor: Actor,
    after: number | null,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
  /** The number of open streams. */
  readonly countStreams: () => number
}

/** Manages the streams of a process. They end when `shutdown` is aborted. */
export function createHub(db: Database, ports: Ports, shutdown: AbortSignal): Hub {
  /** Oldest first. */
  const streams = new Set<LiveStream>()
  let checkTimer: ReturnType<typeof setInterval> | null = null

  db.onChange((change) => {
    for (const stream of streams) if (stream.actor.workspaceId === change.workspaceId) stream.enqueue(change)
  })
  db.onMissedChanges((isRecovered) => {
    if (isRecovered) for (const stream of streams) stream.enqueueAll()
  })
  shutdown.addEventListener('abort', () => {
    for (const stream of streams) stream.end()
  })

  let isChecking = false
  /** Ends the streams whose session has ended, and sends heartbeats in the others. */
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    // A stream that is opened during the query has just been authorized.
    const checkedStreams = [...streams]
    try {
      const sessionIds = new Set(checkedStreams.map(({ sessionId }) => sessionId))
      const activeIds = await listActiveSessionIds(db.read, ports, [...sessionIds])
      for (const stream of checkedStreams) {
        if (activeIds.has(stream.sessionId)) stream.sendHeartbeat()
        else stream.end()
      }
    } catch {
      // The next request of each reader fails in the gate, which reports the error.
      for (const stream of checkedStreams) stream.end()
    } finally {
      isChecking = false
    }
  }

  function add(stream: LiveStream): void {
    streams.add(stream)
    checkTimer ??= setInterval(check, CHECK_INTERVAL_MS)
    findStreamToEnd([...streams], stream)?.evict()
  }

  function remove(stream: LiveStream): void {
    streams.delete(stream)
    if (streams.size > 0 || checkTimer === null) return
    clearInterval(checkTimer)
    checkTimer = null
  }

  return {
    async open(actor, after, signal) {
      if (shutdown.aborted) throw new AppError('unavailable', { headers: { 'retry-after': '5' } })
      const stream: LiveStream = new LiveStream(db, ports, actor, () => remove(stream))
      // Subscribed before earlier changes are read, so that no change is missed in between.
      add(stream)
      signal.addEventListener('abort', () => stream.end())
      try {
        await stream.start(after)
      } catch (error) {
        stream.end()
        throw error
      }
      return stream.body
    },
    countStreams: () => streams.size,
  }
}
