import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { LiveStream } from './stream.ts'

/** How many streams a session, and an instance, may have open: a browser has one a tab. */
const MAX_STREAMS_PER_SESSION = 8
const MAX_STREAMS = 1000

/** How often each reader is looked at: a session that has ended reads nothing a second later. */
const CHECK_INTERVAL_MS = 500

export interface Hub {
  /**
   * Opens a stream of the changes of the actor's workspace.
   * @param after the number of the last change that the reader knows; null where it has just read everything
   * @param gone aborted when the reader goes away, which one that has read nothing yet tells in no other way
   * @throws AppError `rate_limited` where the session has too many, `unavailable` where the instance has, or stops
   */
  readonly open: (
    actor: Actor,
    after: number | null,
    signal: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
}

/** Keeps the streams of an instance. They end when `ending` is aborted. */
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
      // It hears of changes from here on, so that none is missed while it is told of earlier ones.
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
    message: `This session follows changes ${MAX_STREAMS_PER_SESSION} times already; close a window to open another.`,
    headers: { 'retry-after': '5' },
  })
}
