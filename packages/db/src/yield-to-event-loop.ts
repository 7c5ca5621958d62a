/** How long a step of long work may block the event loop, in milliseconds, before requests get a turn. */
const MAX_SLICE_MS = 0.5

/** Resolves in the next turn of the event loop, together with everything else that waits for it. */
export const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * A queue for the turns of the event loop.
 * @returns joins the queue: resolves in a turn in which nothing else of the queue continues, in the order of the calls
 */
export function createTurnQueue(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const resumeOne = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(resumeOne)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(resumeOne)
    })
}

/**
 * Lets other requests run between the steps of long work. One step runs per turn of the event loop, however much long work
 * there is: otherwise a request would wait for a step of all of it.
 */
export const yieldToEventLoop = createTurnQueue()

/**
 * Divides work of many short steps into slices. Call the result after each step.
 * @returns a function that yields to the event loop where the slice has lasted long enough, and has nothing to wait for otherwise
 */
export function createTimeSlicer(yieldTurn = yieldToEventLoop): () => Promise<void> | undefined {
  let startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < MAX_SLICE_MS) return undefined
    return yieldTurn().then(() => {
      startedAt = performance.now()
    })
  }
}
