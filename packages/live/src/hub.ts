import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { LiveStream } from './stream.ts'

/** Maximum number of open streams per session and per process; a browser opens one per tab. */
const MAX_STREAMS_PER_SESSION = 8
const MAX_STREAMS = 1000

/** How often the access of every reader is checked: a stream ends within a second after its session. */
const CHECK_INTERVAL_MS = 500

export interface Hub {
  /**
   * Opens a stream of the changes of the actor's workspace.
   * @param after the sequence of the last change that the reader knows; null if it has just loaded everything
   * @param signal aborted when the reader disconnects; the only sign of it before the first read
   * @throws AppError `rate_limited` if the session has too many streams; `unavailable` if the process has, or shuts down
   */
  readonly open: (
    actor: Actor,
    after: number | null,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
}

/** Manages the streams of a process. They end when `shutdown` is aborted. */
export function createHub(db: Database, ports: Ports, shutdown: AbortSignal): Hub {
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
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    for (const stream of streams) await stream.check()
    isChecking = false
  }

  function add(stream: LiveStream): void {
    streams.add(stream)
    checkTimer ??= setInterval(check, CHECK_INTERVAL_MS)
  }

  function remove(stream: LiveStream): void {
    streams.delete(stream)
    if (streams.size > 0 || checkTimer === null) return
    clearInterval(checkTimer)
    checkTimer = null
  }

  return {
    async open(actor, after, signal) {
      assertStreamLimit(actor, streams, shutdown)
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
  }
}

function assertStreamLimit(actor: Actor, streams: ReadonlySet<LiveStream>, shutdown: AbortSignal): void {
  if (shutdown.aborted || streams.size >= MAX_STREAMS) {
    throw new AppError('unavailable', { headers: { 'retry-after': '5' } })
  }
  let openStreams = 0
  for (const stream of streams) if (stream.actor.sessionId === actor.sessionId) openStreams += 1
  if (openStreams < MAX_STREAMS_PER_SESSION) return
  throw new AppError('rate_limited', {
    message: `This session has ${MAX_STREAMS_PER_SESSION} open streams, which is the maximum; close a browser tab to open another one.`,
    headers: { 'retry-after': '5' },
  })
}
