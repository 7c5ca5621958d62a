/**
 * Creates a mutex per key, first come, first served. Written here because `async-mutex` and `p-limit` have no keys, and a map
 * of theirs would need the same bookkeeping.
 * @returns waits for the mutex of a key, at most so many milliseconds, and resolves with its release function
 */
export function createKeyedMutex(): (key: string, maxWaitMs: number) => Promise<() => void> {
  /** By key, while its mutex is taken: what passes it on to those that wait. */
  const queues = new Map<string, (() => void)[]>()

  function release(key: string): void {
    const next = queues.get(key)?.shift()
    if (next) next()
    else queues.delete(key)
  }

  return (key, maxWaitMs) => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const grant = () => resolve(() => release(key))
    const queue = queues.get(key)
    if (queue === undefined) {
      queues.set(key, [])
      grant()
      return promise
    }
    const grantInTime = () => {
      clearTimeout(timer)
      grant()
    }
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(grantInTime), 1)
      reject(new Error('timeout exceeded when waiting for other transactions'))
    }, maxWaitMs)
    queue.push(grantInTime)
    return promise
  }
}
