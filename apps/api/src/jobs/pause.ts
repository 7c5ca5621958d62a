import { setTimeout as sleep } from 'node:timers/promises'
import { yieldToEventLoop } from '@reeve/db'

/** The longest pause, in milliseconds: work that itself had to wait, such as for the disk, does not wait as long again. */
const MAX_PAUSE_MS = 50

/**
 * Lets work in the background pause for as long as it has worked, while game servers send requests: it takes at most half of the time of the
 * process then, and few of their requests arrive during one of its longer steps. Otherwise it continues in the next turn of the event loop.
 * @param hasRecentReads whether game servers send requests at the moment
 * @returns pauses after work of `workedMs` milliseconds
 */
export const createPause =
  (hasRecentReads: () => boolean) =>
  async (workedMs: number): Promise<void> => {
    if (hasRecentReads()) await sleep(Math.min(workedMs, MAX_PAUSE_MS))
    else await yieldToEventLoop()
  }
