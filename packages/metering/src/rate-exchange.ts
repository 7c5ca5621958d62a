import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { RateLimiter, type RatePerMinute } from './rate.ts'

/** How much of a minute a caller may take at one process before the others have been told. */
const UNTOLD_SHARE = 0.1
/** How often a process says that it is there, and how long it counts as there. */
const HERE_MS = 1000
const GONE_MS = 3000
/** How many callers are told of in one line. */
const CALLERS_A_LINE = 50

/** A caller, the calls it was let through with, and its rate. */
type Taken = readonly [caller: string, calls: number, perMinute: RatePerMinute]

/** What callers took at this process since the others were told last. */
export class Untold {
  #taken = new Map<string, { calls: number; readonly perMinute: RatePerMinute }>()
  #toldAt = Number.NEGATIVE_INFINITY
  #othersUntil = Number.NEGATIVE_INFINITY

  note(caller: string, perMinute: RatePerMinute): void {
    const known = this.#taken.get(caller)
    if (known) known.calls += 1
    else this.#taken.set(caller, { calls: 1, perMinute })
  }

  /** Whether the others have to hear of a caller before it may go on. */
  isFull(caller: string, perMinute: RatePerMinute): boolean {
    const calls = this.#taken.get(caller)?.calls ?? 0
    return calls >= Math.max(1, perMinute * UNTOLD_SHARE) && performance.now() < this.#othersUntil
  }

  /** Another process has been heard. */
  heard(): void {
    this.#othersUntil = performance.now() + GONE_MS
  }

  /** What there is to tell, as lines, and forgets it; one that is empty says that this process is there. */
  lines(): string[] {
    const now = performance.now()
    if (this.#taken.size === 0 && now - this.#toldAt < HERE_MS) return []
    const all = [...this.#taken].map(([caller, { calls, perMinute }]): Taken => [caller, calls, perMinute])
    this.#taken = new Map()
    this.#toldAt = now
    const lines: string[] = []
    for (let at = 0; at === 0 || at < all.length; at += CALLERS_A_LINE) {
      lines.push(JSON.stringify(all.slice(at, at + CALLERS_A_LINE)))
    }
    return lines
  }
}

/**
 * A rate limiter that knows what other processes over the same database let through.
 * @returns the limiter, and what tells the others: called several times a second
 */
export function openRates(
  db: Database,
  ports: Ports,
): { rates: RateLimiter; tellRates: () => Promise<void> } {
  if (!db.isShared) return { rates: new RateLimiter(null), tellRates: async () => {} }
  const untold = new Untold()
  const rates = new RateLimiter(untold)
  db.onTold((line) => {
    untold.heard()
    for (const [caller, calls, perMinute] of JSON.parse(line) as Taken[])
      rates.takenElsewhere(caller, calls, perMinute, ports.now())
  })
  return {
    rates,
    async tellRates() {
      const lines = untold.lines()
      // What cannot be told now would be wrong by the time that it can.
      if (lines.length > 0) await db.tellOthers(lines).catch(() => {})
    },
  }
}
