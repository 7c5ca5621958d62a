/** The time of the server, which decides when a sanction expires: the clock of this machine may be wrong, or be set while it runs. */
export class ServerClock {
  #offset = Date.now() - performance.now()

  /** @param now of a response that has just arrived */
  adjust(now: string): void {
    // Late by the time of the response on its way: a sanction never ends too early.
    this.#offset = Date.parse(now) - performance.now()
  }

  /** Epoch milliseconds. */
  now(): number {
    return performance.now() + this.#offset
  }
}
