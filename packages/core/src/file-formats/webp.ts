import {
  assertNothingFollows,
  ByteView,
  brokenError,
  fourCharacters,
  incompleteError,
  KeptParts,
  type ReadContent,
} from './content.ts'
import { reduceToOrientation } from './orientation.ts'

// The chunks of https://www.rfc-editor.org/rfc/rfc9649#section-2
const [LOSSY, LOSSLESS, EXTENDED, FRAME, EXIF] = ['VP8 ', 'VP8L', 'VP8X', 'ANMF', 'EXIF'].map(
  fourCharacters,
) as [number, number, number, number, number]
const KEPT_CHUNKS = new Set([LOSSY, LOSSLESS, ...['ICCP', 'ANIM', 'ALPH'].map(fourCharacters)])
const KEPT_IN_FRAME = new Set([LOSSY, LOSSLESS, fourCharacters('ALPH')])

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const FRAME_HEADER_BYTES = 16
/** The flags of the extended header that announce metadata. */
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04

interface Size {
  width: number
  height: number
}

export const readWebp: ReadContent = (bytes) => {
  const view = new ByteView(bytes)
  const end = CHUNK_HEADER_BYTES + view.uint32(4, true)
  // Some encoders count the padding of the last chunk, and do not write it.
  if (end > bytes.length + 1) throw incompleteError()
  assertNothingFollows(bytes, end)
  const size: Size = { width: 0, height: 0 }
  let orientation: Uint8Array | null = null
  let header: Uint8Array | null = null
  const content = readChunks(
    view,
    RIFF_HEADER_BYTES,
    Math.min(end, bytes.length),
    size,
    (type, from, to, kept) => {
      if (type === EXTENDED) {
        const width = 1 + readUint24(view, from + 12)
        const height = 1 + readUint24(view, from + 15)
        enlarge(size, width, height)
        header = bytes.slice(from, to)
        kept.insert(header)
      } else if (type === FRAME) kept.insert(readFrame(view, from, to, size))
      else if (type === EXIF) orientation = reduceToOrientation(skipExifName(bytes.subarray(from + 8, to)))
      else if (KEPT_CHUNKS.has(type)) kept.keep(from, to)
    },
  )
  if (size.width === 0) throw brokenError('it has no pixels')
  const parts = [...content]
  if (orientation !== null) parts.push(createChunk(EXIF, orientation))
  if (header !== null) clearFlags(header, orientation !== null)
  const total = parts.reduce((sum, part) => sum + part.length, 0)
  const riff = bytes.slice(0, RIFF_HEADER_BYTES)
  new DataView(riff.buffer).setUint32(4, total + 4, true)
  return { ...size, parts: [riff, ...parts] }
}

/** Some programs write the name that precedes Exif data in a JPEG. */
const skipExifName = (data: Uint8Array): Uint8Array =>
  new ByteView(data).hasText(0, 'Exif\0\0') ? data.subarray(6) : data

function clearFlags(header: Uint8Array, hasOrientation: boolean): void {
  const flags = header[CHUNK_HEADER_BYTES] ?? 0
  header[CHUNK_HEADER_BYTES] = (flags & ~(EXIF_FLAG | XMP_FLAG)) | (hasOrientation ? EXIF_FLAG : 0)
}

/**
 * Reads a sequence of chunks, and the sizes of images among them.
 * @param onChunk gets the type of each, and where it begins and ends with its padding
 * @returns what `onChunk` has kept
 */
function readChunks(
  view: ByteView,
  start: number,
  end: number,
  size: Size,
  onChunk: (type: number, from: number, to: number, kept: KeptParts) => void,
): readonly Uint8Array[] {
  const kept = new KeptParts(view.bytes)
  for (let offset = start; offset < end; ) {
    view.countPart()
    const type = view.uint32(offset)
    const length = view.uint32(offset + 4, true)
    const dataEnd = offset + CHUNK_HEADER_BYTES + length
    if (dataEnd > end) throw incompleteError()
    if (type === LOSSY) {
      const frame = offset + CHUNK_HEADER_BYTES
      if (!view.hasText(frame + 3, '\x9d\x01\x2a')) throw brokenError('it has no key frame')
      enlarge(size, view.uint16(frame + 6, true) & 0x3fff, view.uint16(frame + 8, true) & 0x3fff)
    } else if (type === LOSSLESS) {
      const bits = view.uint32(offset + CHUNK_HEADER_BYTES + 1, true)
      enlarge(size, 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
    }
    const next = Math.min(dataEnd + (length % 2), end)
    onChunk(type, offset, next, kept)
    if (next === dataEnd && length % 2 === 1) kept.insert(new Uint8Array(1))
    offset = next
  }
  return kept.finish()
}

/** A frame of an animation without metadata: its header, then the chunks of an image. */
function readFrame(view: ByteView, from: number, to: number, size: Size): Uint8Array {
  const content = from + CHUNK_HEADER_BYTES + FRAME_HEADER_BYTES
  if (content > to) throw brokenError('a frame of the animation is too short')
  const parts = readChunks(view, content, to, size, (type, start, end, kept) => {
    if (KEPT_IN_FRAME.has(type)) kept.keep(start, end)
  })
  const frame = Buffer.concat([view.bytes.subarray(from, content), ...parts])
  frame.writeUInt32LE(frame.length - CHUNK_HEADER_BYTES, 4)
  return frame
}

const readUint24 = (view: ByteView, offset: number): number =>
  view.uint16(offset, true) + view.byte(offset + 2) * 0x1_00_00

function enlarge(size: Size, width: number, height: number): void {
  size.width = Math.max(size.width, width)
  size.height = Math.max(size.height, height)
}

/** @param data is padded to an even length */
function createChunk(type: number, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_HEADER_BYTES + data.length + (data.length % 2))
  const view = new DataView(chunk.buffer)
  view.setUint32(0, type)
  view.setUint32(4, data.length, true)
  chunk.set(data, CHUNK_HEADER_BYTES)
  return chunk
}
