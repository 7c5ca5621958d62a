import type { LiveResource } from '@reeve/core'

const INITIAL_RETRY_MS = 1000
const MAX_RETRY_MS = 30_000
/** A connection that comes back sooner than this is not worth a word. */
const DISCONNECT_GRACE_MS = 5000

export interface ChangeListener {
  /** Something of this kind changed. */
  readonly onChange: (resource: LiveResource) => void
  /** It is connected: what was read before may have changed since, and nobody told. */
  readonly onConnect: () => void
  /** The connection broke off, or could not be made. */
  readonly onError: () => void
  /** Whether changes have not come through for a while. */
  readonly onDisconnectedChange: (isDisconnected: boolean) => void
}

/**
 * Follows the changes of a workspace while somebody looks at the page: a browser keeps few connections to one server, and
 * pages in the background would take them all.
 * @returns how to stop
 */
export function subscribeToChanges(workspaceId: string, listener: ChangeListener): () => void {
  let source: EventSource | null = null
  let retryDelay = INITIAL_RETRY_MS
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let disconnectTimer: ReturnType<typeof setTimeout> | undefined

  const handleOpen = () => {
    clearTimeout(disconnectTimer)
    disconnectTimer = undefined
    retryDelay = INITIAL_RETRY_MS
    listener.onDisconnectedChange(false)
    listener.onConnect()
  }
  const handleError = () => {
    source?.close()
    source = null
    disconnectTimer ??= setTimeout(() => listener.onDisconnectedChange(true), DISCONNECT_GRACE_MS)
    listener.onError()
    retryTimer = setTimeout(connect, retryDelay * (0.75 + Math.random() / 2))
    retryDelay = Math.min(retryDelay * 2, MAX_RETRY_MS)
  }
  function connect(): void {
    clearTimeout(retryTimer)
    source = new EventSource(`/portal/api/live?${new URLSearchParams({ workspaceId })}`)
    source.onopen = handleOpen
    source.onerror = handleError
    source.onmessage = ({ data }) =>
      listener.onChange((JSON.parse(data) as { resource: LiveResource }).resource)
  }
  function disconnect(): void {
    clearTimeout(retryTimer)
    clearTimeout(disconnectTimer)
    disconnectTimer = undefined
    source?.close()
    source = null
  }
  const handleVisibilityChange = () => {
    if (document.hidden) disconnect()
    else if (source === null) connect()
  }

  if (!document.hidden) connect()
  document.addEventListener('visibilitychange', handleVisibilityChange)
  window.addEventListener('online', handleVisibilityChange)
  return () => {
    document.removeEventListener('visibilitychange', handleVisibilityChange)
    window.removeEventListener('online', handleVisibilityChange)
    disconnect()
  }
}
