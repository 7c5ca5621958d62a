const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A connection that comes back sooner than this is not worth a word. */
const QUIET_MS = 5000

export interface Listener {
  /** Something of this kind changed. */
  readonly changed: (resource: string) => void
  /** It is connected: what was read before may have changed since, and nobody told. */
  readonly connected: () => void
  /** The connection broke off, or could not be made. */
  readonly broke: () => void
  /** Whether changes have not come through for a while. */
  readonly lost: (isLost: boolean) => void
}

/**
 * Follows the changes of a workspace while somebody looks at the page: a browser keeps few connections to one server, and
 * pages in the background would take them all.
 * @returns how to stop
 */
export function follow(workspaceId: string, listener: Listener): () => void {
  let source: EventSource | null = null
  let wait = FIRST_WAIT_MS
  let again: ReturnType<typeof setTimeout> | undefined
  let quiet: ReturnType<typeof setTimeout> | undefined

  const opened = () => {
    clearTimeout(quiet)
    quiet = undefined
    wait = FIRST_WAIT_MS
    listener.lost(false)
    listener.connected()
  }
  const failed = () => {
    source?.close()
    source = null
    quiet ??= setTimeout(() => listener.lost(true), QUIET_MS)
    listener.broke()
    again = setTimeout(connect, wait * (0.75 + Math.random() / 2))
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
  function connect(): void {
    clearTimeout(again)
    source = new EventSource(`/portal/api/live?${new URLSearchParams({ workspaceId })}`)
    source.onopen = opened
    source.onerror = failed
    source.onmessage = ({ data }) => listener.changed((JSON.parse(data) as { resource: string }).resource)
  }
  function rest(): void {
    clearTimeout(again)
    clearTimeout(quiet)
    quiet = undefined
    source?.close()
    source = null
  }
  const lookedAt = () => {
    if (document.hidden) rest()
    else if (source === null) connect()
  }

  if (!document.hidden) connect()
  document.addEventListener('visibilitychange', lookedAt)
  window.addEventListener('online', lookedAt)
  return () => {
    document.removeEventListener('visibilitychange', lookedAt)
    window.removeEventListener('online', lookedAt)
    rest()
  }
}
