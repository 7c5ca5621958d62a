import { MINUTE_MS } from '@reeve/core'

/** How far the clock may be behind the newest change, in milliseconds: the clocks of other machines may differ so much. */
const CLOCK_TOLERANCE_MS = MINUTE_MS

export const isInFuture = (at: number, now: number): boolean => at - now > CLOCK_TOLERANCE_MS
