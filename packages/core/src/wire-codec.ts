import type { Platforms } from './platforms/platforms.ts'

/** Why a text is invalid, as a message that follows the name of the field: "must be …". */
export class WireError extends Error {}

/** Parses and formats one kind of field. Every field is a string in requests and responses. */
export interface Codec<T> {
  /** @throws WireError with a message that says what is accepted */
  readonly read: (text: string) => T
  /**
   * For a field that responses return as an array: parses an array of strings in a request body.
   * @throws WireError with a message that says what is accepted
   */
  readonly readList?: (items: readonly string[]) => T
  readonly write: (value: T) => string
  /** For ids of players: the form that a parsed value has in a workspace with these platforms. */
  readonly resolve?: (value: T, platforms: Platforms) => T
  /** The accepted values, if they are a fixed list; synonyms are left out. */
  readonly values?: readonly string[]
  /** For the OpenAPI document. */
  readonly description: string
  readonly example: string
}

/** @throws WireError */
export const fail = (message: string): never => {
  throw new WireError(message)
}
