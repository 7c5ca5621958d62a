import { expect, test } from 'bun:test'
import { waitForNextTurn, yieldToEventLoop } from '../src/index.ts'

test('of all long work, one step runs per turn of the event loop, in order', async () => {
  const steps: number[] = []
  const works = Array.from({ length: 8 }, async (_, work) => {
    for (let step = 0; step < 5; step++) {
      await yieldToEventLoop()
      steps.push(work)
    }
  })
  const stepsPerTurn: number[] = []
  while (steps.length < 40) {
    const before = steps.length
    await waitForNextTurn()
    stepsPerTurn.push(steps.length - before)
  }
  await Promise.all(works)
  expect(Math.max(...stepsPerTurn)).toBe(1)
  expect(steps).toEqual(Array.from({ length: 40 }, (_, index) => index % 8))
})
