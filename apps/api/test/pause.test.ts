import { expect, test } from 'bun:test'
import { createPause } from '../src/jobs/pause.ts'
import { createRequestBatcher } from '../src/request-batching.ts'

const WORKED_MS = 20

/** How many turns of the event loop others get until the promise resolves. */
async function countTurns(promise: Promise<void>): Promise<number> {
  let hasEnded = false
  const ended = promise.then(() => {
    hasEnded = true
  })
  let count = 0
  for (; !hasEnded; count++) await new Promise<void>((resolve) => setImmediate(resolve))
  await ended
  return count
}

test('work in the background pauses as long as it has worked while game servers ask, and otherwise only for a turn', async () => {
  const { waitForTurn, hasRecentReads } = createRequestBatcher()
  const pause = createPause(hasRecentReads)
  await waitForTurn(new Request('http://localhost/api/moderation', { headers: { cookie: 'session' } }))
  expect(await countTurns(pause(WORKED_MS))).toBeLessThan(5)

  await waitForTurn(
    new Request('http://localhost/api/moderation', { headers: { authorization: 'Bearer key' } }),
  )
  const startedAt = performance.now()
  await pause(WORKED_MS)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(WORKED_MS - 1)
})
