import { crc32 } from 'node:zlib'
import {
  assertNothingFollows,
  ByteView,
  brokenError,
  fourCharacters,
  KeptParts,
  type ReadContent,
} from './content.ts'
import { reduceToOrientation } from './orientation.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum. */
const CHUNK_OVERHEAD = 12

const [HEADER, DATA, END, EXIF] = ['IHDR', 'IDAT', 'IEND', 'eXIf'].map(fourCharacters) as [
  number,
  number,
  number,
  number,
]

/** The chunks that decide how the image looks, also when it is animated. https://www.w3.org/TR/png-3/#11Chunks */
const KEPT_CHUNKS = new Set([
  ...[HEADER, DATA, END],
  ...['PLTE', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'].map(fourCharacters),
  ...['bKGD', 'hIST', 'pHYs', 'sPLT', 'acTL', 'fcTL', 'fdAT'].map(fourCharacters),
])

export const readPng: ReadContent = (bytes) => {
  const view = new ByteView(bytes)
  const kept = new KeptParts(bytes)
  kept.keep(0, SIGNATURE_BYTES)
  let hasData = false
  for (let offset = SIGNATURE_BYTES; ; ) {
    view.countPart()
    const length = view.uint32(offset)
    const type = view.uint32(offset + 4)
    const end = offset + CHUNK_OVERHEAD + length
    view.assertContains(end)
    hasData ||= type === DATA
    if (KEPT_CHUNKS.has(type)) kept.keep(offset, end)
    else if (type === EXIF) {
      const reduced = reduceToOrientation(bytes.subarray(offset + 8, end - 4))
      if (reduced !== null) kept.insert(createChunk(type, reduced))
    } else if (isCritical(type)) throw brokenError('it has a chunk that is not part of the format')
    offset = end
    if (type !== END) continue
    if (!hasData) throw brokenError('it has no pixels')
    assertNothingFollows(bytes, end)
    const [width, height] = [view.uint32(SIGNATURE_BYTES + 8), view.uint32(SIGNATURE_BYTES + 12)]
    return { width, height, parts: kept.finish() }
  }
}

/** The name of a chunk that a decoder must know begins with a capital letter. */
const isCritical = (type: number): boolean => ((type >>> 24) & 0x20) === 0

function createChunk(type: number, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_OVERHEAD + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  view.setUint32(4, type)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}
