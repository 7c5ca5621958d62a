import type { SecondFactorPolicy } from '@reeve/core'
import { freeBytes } from '@reeve/db'
import { encodeBase64 } from './base64.ts'

/**
 * The archive format: lines of JSON in frames. A frame is the compressed unit, a zstd frame of complete lines: only one is in memory
 * at a time, and the concatenated frames are an `.ndjson.zst` file that any zstd tool can read. A frame is stored in one or more
 * slices: the rows of `archive_part`.
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
  /** How long a ban that waits for approval is in effect; null for the default. */
  readonly approvalHours: number | null
  /** The platforms that ids without a platform mean or meant; null for Roblox. */
  readonly platforms: string | null
  /** Of whom it requires a second factor; null for nobody. */
  readonly secondFactorPolicy: SecondFactorPolicy | null
  readonly createdAt: number
  /** The last assigned case number. */
  readonly caseNumber: number
  /** The workspace's change counter: no record has a higher sequence. */
  readonly sequence: number
}

/** Characters per frame before compression. Joining and encoding that many takes about a millisecond. */
export const FRAME_CHARACTERS = 512 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const latin1 = new TextDecoder('latin1')

/** One line: its kind and its data. */
export type Line = readonly [kind: string, data: Readonly<Record<string, unknown>>]

/** The beginning of the last member of a line with a binary value, and what follows it. */
const BYTES_MEMBER = '"bytes":"'
const BINARY_LINE_END = '"}]'

/** Lines of at least this many bytes are not decoded before they are parsed. */
const LARGE_LINE_BYTES = 16 * 1024

/** A line of a frame: its text, or its bytes if it is large. */
export type EncodedLine = string | Uint8Array

/**
 * Parses a line. A binary value that is large stays a part of the line, as the bytes of its base64 text: the texts of images
 * that nothing decodes would have megabytes.
 */
export function parseLine(encoded: EncodedLine): Line {
  if (typeof encoded === 'string') return JSON.parse(encoded) as Line
  const line = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length)
  const member = line.indexOf(BYTES_MEMBER)
  const start = member + BYTES_MEMBER.length
  const end = line.length - BINARY_LINE_END.length
  // Base64 has no quotes, so the next one ends the value.
  if (member < 0 || line.indexOf('"', start) !== end) return JSON.parse(utf8.decode(line)) as Line
  const [kind, row] = JSON.parse(utf8.decode(line.subarray(0, start)) + BINARY_LINE_END) as Line
  return [kind, { ...row, bytes: line.subarray(start, end) }]
}

/** Decodes a binary value of a line. */
export const decodeBinaryValue = (value: unknown): Uint8Array =>
  Buffer.from(value instanceof Uint8Array ? latin1.decode(value) : String(value), 'base64')

/** Collects the lines of a frame in memory. */
interface FrameBuffer {
  /** Its size so far, before compression. */
  readonly size: () => number
  readonly addLine: (line: Line) => void
  /** Adds the line of a row with a large binary value, which is named `bytes`. */
  readonly addBinaryLine: (kind: string, row: Line[1], bytes: Uint8Array) => Promise<void>
  /** Compresses the lines outside of the main thread, and empties the buffer. */
  readonly compress: () => Promise<Uint8Array>
}

/** Texts are encoded in chunks of about this size, so that those of lines are short-lived garbage. */
const CHUNK_CHARACTERS = 64 * 1024

export function createFrameBuffer(): FrameBuffer {
  let chunks: Uint8Array[] = []
  let text = ''
  let size = 0
  const addText = (line: string) => {
    text += line
    size += line.length
    if (text.length >= CHUNK_CHARACTERS) encodeText()
  }
  const encodeText = () => {
    if (text !== '') chunks.push(Buffer.from(text))
    text = ''
  }
  return {
    size: () => size,
    addLine: (line) => addText(`${JSON.stringify(line)}\n`),
    async addBinaryLine(kind, row, bytes) {
      const line = JSON.stringify([kind, { ...row, bytes: '' }] satisfies Line)
      addText(line.slice(0, -BINARY_LINE_END.length))
      encodeText()
      const encoded = await encodeBase64(bytes)
      chunks.push(encoded)
      size += encoded.length
      addText(`${BINARY_LINE_END}\n`)
    },
    async compress() {
      encodeText()
      const lines = Buffer.concat(chunks)
      for (const chunk of chunks) freeBytes(chunk)
      chunks = []
      size = 0
      try {
        return await Bun.zstdCompress(lines)
      } finally {
        freeBytes(lines)
      }
    },
  }
}

/** Bytes per slice: a commit that writes a megabyte blocks the event loop for milliseconds. */
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

/** Decompresses a frame, outside of the main thread, and frees the compressed bytes. */
export async function decompressFrame(compressed: Uint8Array): Promise<Uint8Array> {
  const bytes = await Bun.zstdDecompress(compressed)
  freeBytes(compressed)
  return bytes
}

const LINE_FEED = 0x0a

/** Splits a decompressed frame into its lines. Large ones share its memory. */
export function splitLines(bytes: Uint8Array): EncodedLine[] {
  const lines: EncodedLine[] = []
  let textStart = 0
  const addTexts = (end: number) => {
    // Every line ends with a line feed.
    if (end <= textStart) return
    for (const text of utf8.decode(bytes.subarray(textStart, end - 1)).split('\n')) lines.push(text)
  }
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    if (end - start >= LARGE_LINE_BYTES) {
      addTexts(start)
      lines.push(bytes.subarray(start, end))
      textStart = end + 1
    }
    start = end + 1
  }
  addTexts(bytes.length)
  return lines
}
