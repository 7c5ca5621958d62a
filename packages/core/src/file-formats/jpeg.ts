import { ByteView, brokenError, incompleteError, KeptParts, type ReadContent } from './content.ts'
import { reduceToOrientation } from './orientation.ts'

// The markers of ITU-T T.81, table B.1.
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const FIRST_RESTART = 0xd0
const LAST_RESTART = 0xd7
const APPLICATION_0 = 0xe0
const APPLICATION_1 = 0xe1
const APPLICATION_2 = 0xe2
const APPLICATION_14 = 0xee
const LAST_APPLICATION = 0xef
const COMMENT = 0xfe

/** Start of frame: all of this range except the tables DHT, JPG and DAC. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const isStandalone = (marker: number): boolean =>
  marker <= 0x01 || (marker >= FIRST_RESTART && marker <= 0xd8)

/** The JFIF segment without a thumbnail: marker, length, and the first nine bytes of the original. */
const JFIF_BYTES = 18
const EXIF_NAME = 'Exif\0\0'

export const readJpeg: ReadContent = (bytes) => {
  const view = new ByteView(bytes)
  const kept = new KeptParts(bytes)
  kept.keep(0, 2)
  let [width, height, hasScan] = [0, 0, false]
  for (let offset = 2; ; ) {
    view.countPart()
    if (view.byte(offset) !== 0xff) throw brokenError('a segment of the JPEG does not begin with a marker')
    while (view.byte(offset + 1) === 0xff) offset += 1
    const marker = view.byte(offset + 1)
    if (marker === END_OF_IMAGE) {
      if (!hasScan) throw brokenError('it has no pixels')
      kept.keep(offset, offset + 2)
      // What follows is left out: phones append depth maps, videos and trailers of their own, most of which the image does not declare.
      return { width, height, parts: kept.finish() }
    }
    if (isStandalone(marker)) throw brokenError('a marker of the JPEG is where none is allowed')
    const length = view.uint16(offset + 2)
    if (length < 2) throw brokenError('a segment of the JPEG is too short')
    const end = offset + 2 + length
    view.assertContains(end)
    if (isStartOfFrame(marker)) {
      height = Math.max(height, view.uint16(offset + 5))
      width = Math.max(width, view.uint16(offset + 7))
    }
    keepSegment(view, kept, marker, offset, end)
    offset = end
    if (marker !== START_OF_SCAN) continue
    hasScan = true
    offset = findScanEnd(bytes, end)
    kept.keep(end, offset)
  }
}

/** Keeps a segment, without what is not needed to show the image. */
function keepSegment(view: ByteView, kept: KeptParts, marker: number, offset: number, end: number): void {
  const content = offset + 4
  const { bytes } = view
  if (marker === APPLICATION_0) {
    if (!view.hasText(content, 'JFIF\0') || end - offset < JFIF_BYTES) return
    const segment = bytes.slice(offset, offset + JFIF_BYTES)
    segment.set([0, JFIF_BYTES - 2], 2)
    segment.set([0, 0], JFIF_BYTES - 2)
    kept.insert(segment)
  } else if (marker === APPLICATION_1) {
    const tiff = bytes.subarray(content + EXIF_NAME.length, end)
    const reduced = view.hasText(content, EXIF_NAME) ? reduceToOrientation(tiff) : null
    if (reduced === null) return
    const length = 2 + EXIF_NAME.length + reduced.length
    kept.insert(Uint8Array.of(0xff, APPLICATION_1, 0, length, ...Buffer.from(EXIF_NAME), ...reduced))
  } else if (marker === APPLICATION_2) {
    if (view.hasText(content, 'ICC_PROFILE\0')) kept.keep(offset, end)
  } else if (marker === APPLICATION_14) {
    // It says how colors are encoded.
    if (view.hasText(content, 'Adobe')) kept.keep(offset, end)
  } else if (marker !== COMMENT && !(marker > APPLICATION_2 && marker <= LAST_APPLICATION)) {
    kept.keep(offset, end)
  }
}

/** The offset of the first marker after the pixels of a scan. */
function findScanEnd(bytes: Uint8Array, start: number): number {
  // `indexOf` takes a fraction of the time of a loop, which would block the event loop for a photo of 25 MB.
  for (
    let offset = bytes.indexOf(0xff, start);
    offset >= 0 && offset + 1 < bytes.length;
    offset = bytes.indexOf(0xff, offset + 1)
  ) {
    const next = bytes[offset + 1] as number
    const isData = next === 0 || next === 0xff || (next >= FIRST_RESTART && next <= LAST_RESTART)
    if (!isData) return offset
  }
  throw incompleteError()
}
