/**
 * The archive format: lines of JSON in parts. Each part is one zstd frame of complete lines, so only one part is in memory at a
 * time, and the concatenated parts are an `.ndjson.zst` file that any zstd tool can read. A part is stored in one or more slices.
 */

/** Identifies the format in the first line. `version` increases when the meaning of lines changes. */
export const ARCHIVE_FORMAT = { format: 'reeve-archive', version: 1 } as const

/** The first line of an archive. */
export interface ArchiveHeader {
  readonly format: string
  readonly version: number
  readonly workspaceId: string
  readonly groupName: string
  readonly ownerId: string
  /** The template of links to players' profiles. */
  readonly profileUrl: string | null
  readonly createdAt: number
  /** The last assigned case number. */
  readonly caseNumber: number
  /** The workspace's change counter: no record has a higher sequence. */
  readonly sequence: number
}

/** Characters per part before compression. Joining and encoding that many takes about a millisecond. */
export const PART_CHARACTERS = 512 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One line: its kind and its data. */
export type Line = readonly [kind: string, data: Readonly<Record<string, unknown>>]

export const formatLine = (line: Line): string => `${JSON.stringify(line)}\n`

export const parseLine = (text: string): Line => JSON.parse(text) as Line

/** A line, or a piece of one. */
export type Piece = string | Uint8Array

/** Bytes that are encoded at a time: a multiple of three, so that the texts can be joined. */
const ENCODED_BYTES = 192 * 1024

/**
 * The line of a large binary value in base64, in pieces: encoding it as a whole takes milliseconds.
 * @param row the row without the value, which is named `bytes`
 */
export function* formatBinaryLine(kind: string, row: Line[1], bytes: Uint8Array): Generator<Piece> {
  const line = JSON.stringify([kind, { ...row, bytes: '' }] satisfies Line)
  const end = '"}]'
  yield line.slice(0, -end.length)
  for (let start = 0; start < bytes.length; start += ENCODED_BYTES) {
    const encoded = Buffer.from(bytes.subarray(start, start + ENCODED_BYTES)).toString('base64')
    yield Buffer.from(encoded, 'latin1')
  }
  yield `${end}\n`
}

/** Compresses the lines of a part, outside of the main thread. */
export const compressPart = (pieces: readonly Piece[]): Promise<Uint8Array> =>
  Bun.zstdCompress(
    Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))),
  )

/** Bytes per row of `archive_part`: a commit that writes a megabyte blocks the event loop for milliseconds. */
const SLICE_BYTES = 128 * 1024

/** The first bytes of every zstd frame. Source: RFC 8878, section 3.1.1. */
const FRAME_MAGIC = [0x28, 0xb5, 0x2f, 0xfd]

/** Whether a slice is the first of a frame. */
export const startsFrame = (bytes: Uint8Array): boolean =>
  FRAME_MAGIC.every((byte, index) => bytes[index] === byte)

/** Splits a frame into slices, of which only the first one looks like the start of a frame. */
export function splitFrame(frame: Uint8Array): Uint8Array[] {
  const slices: Uint8Array[] = []
  for (let start = 0; start < frame.length; ) {
    let end = Math.min(start + SLICE_BYTES, frame.length)
    if (startsFrame(frame.subarray(end))) end -= 1
    slices.push(frame.subarray(start, end))
    start = end
  }
  return slices
}

/** Decompresses a part into the texts of its lines, outside of the main thread. */
export async function decompressPart(bytes: Uint8Array): Promise<string[]> {
  const text = utf8.decode(await Bun.zstdDecompress(bytes))
  const lines = text.split('\n')
  // Every line ends with a newline.
  lines.pop()
  return lines
}
