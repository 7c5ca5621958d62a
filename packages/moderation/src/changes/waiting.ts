import type { Database, DataChange } from '@reeve/db'

/** The requests of this process that wait for a change. Each costs some memory, and no connection to a database. */

/** The maximum number of waiting requests of a process. */
export const MAX_WAITING = 4000
/** The maximum number of those of one workspace, so that others can wait too. */
export const MAX_WAITING_OF_WORKSPACE = 2000

/** How many requests continue per turn of the event loop, so that ban checks do not wait for thousands of responses. */
const WAKES_PER_TURN = 2

/** The kinds of changes that requests wait for, or that may end the caller's access. */
const WAKING_KINDS: ReadonlySet<DataChange['kind']> = new Set([
  'record',
  'workspace',
  'endpoint_control',
  'api_key',
  'member',
  'role',
])

/** The place of a request among those that wait. */
export interface WaitingPlace {
  /** Whether the server is shutting down or the client has disconnected. */
  readonly hasEnded: () => boolean
  /** Resolves after the next change, or after the one since the last call; at the latest after so many milliseconds. */
  readonly waitForChange: (timeoutMs: number) => Promise<void>
  /** Gives the place to another request. */
  readonly leave: () => void
}

export interface WaitingRequests {
  /** Enters a request, before it reads what it has got already. @returns null if too many requests are waiting */
  readonly enter: (workspaceId: string, client: AbortSignal) => WaitingPlace | null
  /** A number that increases with every change: reads that begin while it is the same see the same changes, or wake everybody later. */
  readonly getGeneration: () => number
}

interface Waiter {
  hasChanged: boolean
  wake: () => void
}

/** @param shutdown aborted when the process stops: then nobody waits any longer */
export function createWaitingRequests(db: Database, shutdown: AbortSignal): WaitingRequests {
  const waitersByWorkspace = new Map<string, Set<Waiter>>()
  let count = 0
  let generation = 0
  /** Those to wake in the next turns of the event loop. */
  const due: Waiter[] = []

  const wakeNext = () => {
    for (const waiter of due.splice(0, WAKES_PER_TURN)) waiter.wake()
    if (due.length > 0) setImmediate(wakeNext)
  }
  const notify = (waiters: Iterable<Waiter>) => {
    const isIdle = due.length === 0
    for (const waiter of waiters) {
      if (waiter.hasChanged) continue
      waiter.hasChanged = true
      due.push(waiter)
    }
    if (isIdle && due.length > 0) wakeNext()
  }
  const notifyAll = () => {
    generation += 1
    for (const waiters of waitersByWorkspace.values()) notify(waiters)
  }
  db.onChange(({ kind, workspaceId }) => {
    if (!WAKING_KINDS.has(kind)) return
    generation += 1
    notify(waitersByWorkspace.get(workspaceId) ?? [])
  })
  db.onMissedChanges(notifyAll)
  shutdown.addEventListener('abort', notifyAll)

  return {
    getGeneration: () => generation,
    enter(workspaceId, client) {
      const waiters = waitersByWorkspace.get(workspaceId) ?? new Set()
      if (count >= MAX_WAITING || waiters.size >= MAX_WAITING_OF_WORKSPACE || shutdown.aborted) return null
      const waiter: Waiter = { hasChanged: false, wake: () => {} }
      waitersByWorkspace.set(workspaceId, waiters.add(waiter))
      count += 1
      const onDisconnect = () => {
        leave()
        notify([waiter])
      }
      client.addEventListener('abort', onDisconnect)
      function leave(): void {
        if (!waiters.delete(waiter)) return
        count -= 1
        if (waiters.size === 0) waitersByWorkspace.delete(workspaceId)
        client.removeEventListener('abort', onDisconnect)
      }
      return {
        hasEnded: () => shutdown.aborted || client.aborted,
        leave,
        async waitForChange(timeoutMs) {
          if (!waiter.hasChanged) {
            const { promise, resolve } = Promise.withResolvers<void>()
            waiter.wake = resolve
            const timer = setTimeout(resolve, timeoutMs)
            await promise
            clearTimeout(timer)
            waiter.wake = () => {}
          }
          waiter.hasChanged = false
        },
      }
    },
  }
}
