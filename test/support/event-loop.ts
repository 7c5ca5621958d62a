import { setImmediate } from 'node:timers/promises'

/** Counts how often other work could run while a function was busy: its turns of the event loop. */
export async function countTurns<Result>(
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      turns += 1
    }
  })()
  const result = await run()
  isDone = true
  await counting
  return { result, turns }
}
