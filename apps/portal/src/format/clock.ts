/** `Date` headers have whole seconds. */
const HEADER_RESOLUTION_MS = 1000

/** A response with the time at which the server sent it. */
export interface ServerTimeSample {
  /** The `Date` header. */
  readonly date: string | null
  /** The browser's time when the request was sent and when its response arrived, in milliseconds since the epoch. */
  readonly sentAt: number
  readonly receivedAt: number
}

/**
 * Creates a clock that follows the server's, by the `Date` headers of its responses: a browser's clock may be minutes off,
 * while times of records and the ends of bans are the server's.
 * @param readClock the browser's time, in milliseconds since the epoch
 */
export function createServerClock(readClock: () => number) {
  /** The server's time minus the browser's lies between these, as far as the responses tell. */
  let [lowest, highest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

  return {
    /** Narrows the difference down. A response that contradicts earlier ones replaces them: a clock was set. */
    record({ date, sentAt, receivedAt }: ServerTimeSample): void {
      const serverTime = date === null ? Number.NaN : Date.parse(date)
      if (Number.isNaN(serverTime)) return
      const low = serverTime - receivedAt
      const high = serverTime + HEADER_RESOLUTION_MS - sentAt
      if (low > highest || high < lowest) [lowest, highest] = [low, high]
      else [lowest, highest] = [Math.max(lowest, low), Math.min(highest, high)]
    },
    /** The current time of the server, in milliseconds since the epoch: the browser's, unless that is known to be wrong. */
    now(): number {
      return readClock() + Math.min(Math.max(0, lowest), highest)
    },
  }
}

const serverClock = createServerClock(() => Date.now())

/** Takes the server's time from a response. */
export const recordServerTime = serverClock.record

/** The current time of the server, in milliseconds since the epoch. */
export const getNow = serverClock.now
