import type { LiveResource } from '@reeve/core'

const INITIAL_RETRY_MS = 1000
const MAX_RETRY_MS = 30_000
/** Connects or disconnects each stream that is subscribed, as it now should be. */
const streams = new Set<() => void>()

let arePaused = false

/** Disconnects all streams, and connects no new ones. @returns a function that connects those that are then subscribed */
export function pauseChangeStreams(): () => void {
  arePaused = true
  for (const update of streams) update()
  return () => {
    arePaused = false
    for (const update of streams) update()
  }
}

/** The server sends something twice as often. After this long without anything, the connection is dead, although nobody has closed it. */
const MAX_SILENCE_MS = 40_000
/** A shorter interruption is not reported. */
const DISCONNECT_GRACE_MS = 5000

export interface ChangeListener {
  /** A resource of this kind changed. */
  readonly onChange: (resource: LiveResource) => void
  /** Connected without a known last change: changes may have been missed. */
  readonly onConnect: () => void
  /** The connection was lost or could not be established. */
  readonly onError: () => void
  /** Called with true once the connection has been down for a while, and with false when it is back. */
  readonly onDisconnectedChange: (isDisconnected: boolean) => void
}

/**
 * Subscribes to the changes of a workspace while the page is visible. Browsers limit the connections per server, and hidden
 * tabs would use them up.
 * @param lastSequence the last change that the page knows: the first connection reports what changed since then. Null if unknown
 * @returns a function that unsubscribes
 */
export function subscribeToChanges(
  workspaceId: string,
  lastSequence: string | null,
  listener: ChangeListener,
): () => void {
  let lastEventId = lastSequence
  let source: EventSource | null = null
  let retryDelay = INITIAL_RETRY_MS
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let disconnectTimer: ReturnType<typeof setTimeout> | undefined
  let silenceTimer: ReturnType<typeof setTimeout> | undefined

  const handleReceived = () => {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(handleError, MAX_SILENCE_MS)
  }
  const handleOpen = () => {
    handleReceived()
    clearTimeout(disconnectTimer)
    disconnectTimer = undefined
    retryDelay = INITIAL_RETRY_MS
    listener.onDisconnectedChange(false)
    if (lastEventId === null) listener.onConnect()
    lastEventId = null
  }
  function handleError(): void {
    closeSource()
    disconnectTimer ??= setTimeout(() => listener.onDisconnectedChange(true), DISCONNECT_GRACE_MS)
    listener.onError()
    retryTimer = setTimeout(connect, retryDelay * (0.75 + Math.random() / 2))
    retryDelay = Math.min(retryDelay * 2, MAX_RETRY_MS)
  }
  function closeSource(): void {
    clearTimeout(silenceTimer)
    source?.close()
    source = null
  }
  function connect(): void {
    clearTimeout(retryTimer)
    source = new EventSource(
      `/portal/api/live?${new URLSearchParams({ workspaceId, ...(lastEventId === null ? {} : { lastEventId }) })}`,
    )
    handleReceived()
    source.onopen = handleOpen
    source.onerror = handleError
    // The account has too many open streams. Reconnecting at once would end another one of them.
    source.addEventListener('evicted', () => {
      retryDelay = MAX_RETRY_MS
    })
    source.addEventListener('heartbeat', handleReceived)
    source.onmessage = ({ data }) => {
      handleReceived()
      listener.onChange((JSON.parse(data) as { resource: LiveResource }).resource)
    }
  }
  function disconnect(): void {
    clearTimeout(retryTimer)
    clearTimeout(disconnectTimer)
    disconnectTimer = undefined
    closeSource()
  }
  const update = () => {
    if (document.hidden || arePaused) disconnect()
    else if (source === null) connect()
  }
  const reconnect = () => {
    disconnect()
    update()
  }
  streams.add(update)
  update()
  document.addEventListener('visibilitychange', update)
  // The connection was on the network before.
  window.addEventListener('online', reconnect)
  return () => {
    streams.delete(update)
    document.removeEventListener('visibilitychange', update)
    window.removeEventListener('online', reconnect)
    disconnect()
  }
}
