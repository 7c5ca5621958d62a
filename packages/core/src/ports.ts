import type { ImageName } from './image.ts'

/** The side effects that services depend on. `apps/api` implements them; tests have their own. */
export interface Ports {
  /** The current time in epoch milliseconds. */
  readonly now: () => number
  /** A new UUIDv7, monotonically increasing within a process. */
  readonly newId: () => string
  /** Cryptographically strong random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
}

/** Where the bytes of images are stored: in the database or in an object store. */
export interface ImageStore {
  /**
   * Stores the bytes of an image, before its row is inserted.
   * @returns the bytes to store in the row; null if they are stored elsewhere
   * @throws AppError `unavailable`
   */
  readonly save: (name: ImageName, bytes: Uint8Array) => Promise<Uint8Array | null>
  /** The bytes of an image that are not stored in its row. @throws AppError `unavailable` */
  readonly load: (name: ImageName) => Promise<Uint8Array>
  /**
   * Deletes the bytes of an image that are not stored in its row, if they are there.
   * @returns false if this store is not the one that has them
   * @throws AppError `unavailable`
   */
  readonly remove: (name: ImageName) => Promise<boolean>
}
