/** What a service may ask of the outside. Types only: `apps/api` gives the real ones, tests their own. */
export interface Ports {
  /** The current time in epoch milliseconds. */
  readonly now: () => number
  /** A new UUIDv7, ever increasing within a process. */
  readonly newId: () => string
  /** Cryptographically strong random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
}
