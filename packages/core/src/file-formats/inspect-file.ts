import { type EvidenceType, evidenceTypeNames } from '../evidence-file.ts'
import { WireError } from '../wire-codec.ts'
import { detectImageType, listBrands } from './detect-image.ts'
import { assertNoZip, isPdf, isText, selectPdfParts } from './documents.ts'
import { readMp4 } from './mp4.ts'
import { assertPixelLimit, selectImageParts } from './remove-metadata.ts'
import { isWebm, readWebm } from './webm.ts'

/** The brands of MP4 files. QuickTime (`qt  `) and audio files have others. https://mp4ra.org/registered-types/brands */
const MP4_BRANDS = /^(?:iso[\dma]|mp4[12]|avc1|hvc1|av01|dash|M4V |M4VP|MSNV|mmp4|f4v )$/

/** A file that was checked. */
export interface InspectedFile {
  readonly type: EvidenceType
  /** What to store, in order. Some parts share the memory of the bytes. */
  readonly parts: readonly Uint8Array[]
}

/** The longest tail in which the end of a second format is looked for. */
const TAIL_BYTES = 70_000

/**
 * Detects the type of a file from its content alone, checks its structure, and removes metadata and what follows its end. No
 * picture and no video is decoded.
 * @param bytes may be changed
 * @param yieldStep called between steps of up to a few milliseconds each
 * @throws WireError for another type, a damaged file, one with other data inside, or one that would take too much memory to show
 */
export async function inspectFile(bytes: Uint8Array, yieldStep: () => Promise<void>): Promise<InspectedFile> {
  if (bytes.length === 0) throw new WireError('is empty')
  const file = await readParts(bytes, yieldStep)
  await yieldStep()
  assertNoZip(joinTail(file.parts))
  return file
}

async function readParts(bytes: Uint8Array, yieldStep: () => Promise<void>): Promise<InspectedFile> {
  const image = detectImageType(bytes)
  if (image !== null) return { type: image, parts: selectImageParts(image, bytes) }
  if (listBrands(bytes).some((brand) => MP4_BRANDS.test(brand))) return toVideo('mp4', readMp4(bytes))
  if (isWebm(bytes)) return toVideo('webm', readWebm(bytes))
  if (isPdf(bytes)) return { type: 'pdf', parts: selectPdfParts(bytes) }
  if (await isText(bytes, yieldStep)) return { type: 'txt', parts: [bytes] }
  throw new WireError(`must be ${evidenceTypeNames}, detected from its content`)
}

function toVideo(type: 'mp4' | 'webm', { width, height, parts }: ReturnType<typeof readMp4>): InspectedFile {
  assertPixelLimit(width, height)
  return { type, parts }
}

/** The last bytes of a file. */
function joinTail(parts: readonly Uint8Array[]): Uint8Array {
  const tail: Uint8Array[] = []
  let length = 0
  for (const part of parts.toReversed()) {
    const piece = part.subarray(Math.max(0, part.length - (TAIL_BYTES - length)))
    tail.unshift(piece)
    length += piece.length
    if (length === TAIL_BYTES) break
  }
  return Buffer.concat(tail)
}
