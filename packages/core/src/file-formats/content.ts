import { WireError } from '../wire-codec.ts'

// Written here because what removes metadata without decoding the image has to walk through the structures of every format, and
// those contain the dimensions and the end of the image as well. Libraries that re-encode bring native code or lose quality.

/** An image without its metadata. */
export interface ImageContent {
  readonly width: number
  readonly height: number
  /** The bytes that remain, in order. */
  readonly parts: readonly Uint8Array[]
}

/** A video, with the largest size of its tracks; 0 if it has only sound. */
export type VideoContent = ImageContent

/** Reads the structures of an image of one format. @throws WireError where it is incomplete or contains other data */
export type ReadContent = (bytes: Uint8Array) => ImageContent

/** What a file contains, in messages. */
type ContentKind = 'image' | 'video' | 'document'

export const incompleteError = (kind: ContentKind = 'image'): WireError =>
  new WireError(`is incomplete: the file ends before the ${kind} does`)

export const brokenError = (what: string): WireError => new WireError(`is damaged: ${what}`)

/** Rejects other files that are appended to an image. Zeros are padding, which some cameras write. */
export function assertNothingFollows(bytes: Uint8Array, end: number): void {
  for (let offset = end; offset < bytes.length; offset++) {
    if (bytes[offset] === 0) continue
    throw new WireError(
      `has ${bytes.length - end} bytes of other data after the image; save it again with an image editor`,
    )
  }
}

/** Far more chunks, segments, blocks or boxes than an image has. It limits the time that reading one takes. */
const MAX_IMAGE_PARTS = 20_000

/** Reads numbers of a fixed size. @throws WireError beyond the end */
export class ByteView {
  readonly bytes: Uint8Array
  readonly #view: DataView
  readonly #kind: ContentKind
  readonly #maxParts: number
  #parts = 0

  constructor(bytes: Uint8Array, kind: ContentKind = 'image', maxParts = MAX_IMAGE_PARTS) {
    this.bytes = bytes
    this.#kind = kind
    this.#maxParts = maxParts
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @param isLittleEndian big-endian by default */
  uint16(offset: number, isLittleEndian = false): number {
    this.assertContains(offset + 2)
    return this.#view.getUint16(offset, isLittleEndian)
  }

  uint32(offset: number, isLittleEndian = false): number {
    this.assertContains(offset + 4)
    return this.#view.getUint32(offset, isLittleEndian)
  }

  byte(offset: number): number {
    const value = this.bytes[offset]
    if (value === undefined) throw this.incompleteError()
    return value
  }

  /** Whether the characters are at the offset. */
  hasText(offset: number, text: string): boolean {
    for (let index = 0; index < text.length; index++)
      if (this.bytes[offset + index] !== text.charCodeAt(index)) return false
    return true
  }

  /** Called for each part of the file. @throws WireError if there are too many */
  countPart(): void {
    this.#parts += 1
    if (this.#parts > this.#maxParts) throw brokenError('it has too many parts')
  }

  /** @throws WireError if the file ends before this offset */
  assertContains(end: number): void {
    if (end > this.bytes.length) throw this.incompleteError()
  }

  /** The error for a file that ends too early. */
  incompleteError(): WireError {
    return incompleteError(this.#kind)
  }
}

/** A name of four characters as a number, big-endian. */
export const fourCharacters = (name: string): number =>
  new DataView(new TextEncoder().encode(name).buffer).getUint32(0)

/** The parts of an image that remain. Adjacent ones are joined. */
export class KeptParts {
  readonly #bytes: Uint8Array
  readonly #parts: Uint8Array[] = []
  #from = 0
  #to = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  keep(from: number, to: number): void {
    if (from !== this.#to) {
      this.#flush()
      this.#from = from
    }
    this.#to = to
  }

  insert(bytes: Uint8Array): void {
    this.#flush()
    this.#from = this.#to
    this.#parts.push(bytes)
  }

  finish(): readonly Uint8Array[] {
    this.#flush()
    return this.#parts
  }

  #flush(): void {
    if (this.#to > this.#from) this.#parts.push(this.#bytes.subarray(this.#from, this.#to))
    this.#from = this.#to
  }
}
