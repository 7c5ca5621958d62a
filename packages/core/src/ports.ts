import type { ImageName } from './image.ts'

/** What a key derived from the secret key of the instance is for. Each purpose has a key of its own. */
export type KeyPurpose =
  /** Recognizes the secret key: stored in the database, and compared at startup. */
  | 'check'
  /** Authenticates the rows of the audit log. */
  | 'audit'
  /** Encrypts the secrets of second factors. */
  | 'factors'
  /** Encrypts the secrets of webhooks. */
  | 'webhooks'
  /** Encrypts mails that wait to be sent. */
  | 'mail'
  /** Authenticates the cookie of a browser that has entered the code of an appeal. */
  | 'appeals'
  /** Encrypts the keys of pseudonyms, and of the hashes of erased players. */
  | 'pseudonyms'
  /** Hashes names that were entered at sign-in and that no account has. */
  | 'names'

/** The side effects that services depend on. `apps/api` implements them; tests have their own. */
export interface Ports {
  /** The current time in epoch milliseconds. */
  readonly now: () => number
  /** A new UUIDv7, monotonically increasing within a process. */
  readonly newId: () => string
  /** Cryptographically strong random bytes. */
  readonly randomBytes: (length: number) => Uint8Array
  /** A key of 32 bytes for one purpose, derived from the secret key of the instance, which is not in the database. */
  readonly deriveKey: (purpose: KeyPurpose) => Uint8Array
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

/** Where the bytes of evidence files are stored, if not in the database. */
export interface EvidenceStore {
  /** Whether new files are stored here; otherwise they are stored in the database. */
  readonly isExternal: boolean
  /** Stores the bytes of a file, before a record lists it. @throws AppError `unavailable` */
  readonly save: (id: string, bytes: Uint8Array) => Promise<void>
  /** Reads the bytes of a file in chunks. @throws AppError `unavailable` */
  readonly load: (id: string) => AsyncIterable<Uint8Array>
  /**
   * Deletes the bytes of a file, if they are there.
   * @returns false if this store is not the one that has them
   * @throws AppError `unavailable`
   */
  readonly remove: (id: string) => Promise<boolean>
}
