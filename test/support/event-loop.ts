import { setImmediate } from 'node:timers/promises'

/** Counts how often other work could run while a function was busy: its ticks of the event loop. */
export async function countTicks<Result>(
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ticks: number }> {
  let ticks = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      ticks += 1
    }
  })()
  const result = await run()
  isDone = true
  await counting
  return { result, ticks }
}
