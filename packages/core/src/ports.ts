import type { ImageName } from './image.ts'

/** What a service may ask of the outside. Types only: `apps/api` gives the real ones, tests their own. */
export interface Ports {
  /** The current time in epoch milliseconds. */
  readonly now: () => number
  /** A new UUIDv7, ever increasing within a process. */
  readonly newId: () => string
  /** Cryptographically strong random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
}

/** Where the bytes of images lie: in the database, or in a store of its own beside it. */
export interface ImageStore {
  /**
   * Takes the bytes of an image in; its row is written after that.
   * @returns the bytes that the row has to hold; null once they are known to lie elsewhere
   * @throws AppError `unavailable`
   */
  readonly save: (name: ImageName, bytes: Uint8Array) => Promise<Uint8Array | null>
  /** The bytes of an image whose row does not hold them. @throws AppError `unavailable` */
  readonly load: (name: ImageName) => Promise<Uint8Array>
}
