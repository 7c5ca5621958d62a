import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { LiveStream } from './stream.ts'

/** How many streams a session, and an instance, may have open: a browser has one a tab. */
const PER_SESSION = 8
const PER_INSTANCE = 1000

/** How often each reader is looked at: a session that has ended reads nothing a second later. */
const CHECK_MS = 500

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
    gone: AbortSignal,
  ) => Promise<ReadableStream<Uint8Array>>
}

/** Keeps the streams of an instance. They end when `ending` is aborted. */
export function openHub(db: Database, ports: Ports, ending: AbortSignal): Hub {
  const streams = new Set<LiveStream>()
  let checking: ReturnType<typeof setInterval> | null = null

  db.onChange((change) => {
    for (const stream of streams) if (stream.actor.workspaceId === change.workspaceId) stream.note(change)
  })
  db.onGap((isOver) => {
    if (isOver) for (const stream of streams) stream.noteAll()
  })
  ending.addEventListener('abort', () => {
    for (const stream of streams) stream.end()
  })

  let isBusy = false
  async function check(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (const stream of streams) await stream.check()
    isBusy = false
  }

  function add(stream: LiveStream): void {
    streams.add(stream)
    checking ??= setInterval(check, CHECK_MS)
  }

  function remove(stream: LiveStream): void {
    streams.delete(stream)
    if (streams.size > 0 || checking === null) return
    clearInterval(checking)
    checking = null
  }

  return {
    async open(actor, after, gone) {
      needRoom(actor, streams, ending)
      const stream: LiveStream = new LiveStream(db, ports, actor, () => remove(stream))
      // It hears of changes from here on, so that none is missed while it is told of earlier ones.
      add(stream)
      gone.addEventListener('abort', () => stream.end())
      try {
        await stream.begin(after)
      } catch (error) {
        stream.end()
        throw error
      }
      return stream.body
    },
  }
}

function needRoom(actor: Actor, streams: ReadonlySet<LiveStream>, ending: AbortSignal): void {
  if (ending.aborted || streams.size >= PER_INSTANCE) {
    throw new AppError('unavailable', { headers: { 'retry-after': '5' } })
  }
  let own = 0
  for (const stream of streams) if (stream.actor.sessionId === actor.sessionId) own += 1
  if (own < PER_SESSION) return
  throw new AppError('rate_limited', {
    message: `This session follows changes ${PER_SESSION} times already; close a window to open another.`,
    headers: { 'retry-after': '5' },
  })
}
