import { WireError } from '../wire-codec.ts'
import { type ItemExtent, listMetadataExtents } from './avif-items.ts'
import { type Box, blankBox, listBoxes } from './boxes.ts'
import { ByteView, brokenError, fourCharacters, type ReadContent } from './content.ts'

// The boxes of ISO/IEC 14496-12 and 23008-12; https://aomediacodec.github.io/av1-avif/
const TOP_LEVEL = new Set(['ftyp', 'meta', 'moov', 'mdat', 'free', 'skip'].map(fourCharacters))
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'iprp', 'ipco'].map(fourCharacters))
const [FREE, META, MOVIE, SIZE, SAMPLES, AV1_SAMPLE] = ['free', 'meta', 'moov', 'ispe', 'stsd', 'av01'].map(
  fourCharacters,
) as [number, number, number, number, number, number]
/** Free text, metadata and extensions of a movie. */
const MOVIE_METADATA = new Set(['udta', 'meta', 'uuid'].map(fourCharacters))

/** The version and flags of a box. */
const FULL_BOX_BYTES = 4
/** What a sample entry has before its width. */
const SAMPLE_ENTRY_BYTES = 24

/**
 * The parts of an AVIF refer to each other by their offsets. So metadata are overwritten and not removed. The dimensions are those
 * that the container declares.
 */
export const readAvif: ReadContent = (bytes) => {
  const view = new ByteView(bytes.slice())
  const size = { width: 0, height: 0 }
  const enlarge = (width: number, height: number) => {
    size.width = Math.max(size.width, width)
    size.height = Math.max(size.height, height)
  }
  const top = listBoxes(view, 0, bytes.length)
  for (const box of top) {
    // What may contain anything else is overwritten, so that no second file can hide in the first one.
    if (!TOP_LEVEL.has(box.type) || box.type === FREE) blankBox(view, box)
    if (box.type === META) readSizes(view, listBoxes(view, box.content + FULL_BOX_BYTES, box.end), enlarge)
    if (box.type === MOVIE) readMovie(view, box, enlarge)
  }
  for (const box of top) if (box.type === META) blankItems(view, listMetadataExtents(view, box), bytes.length)
  if (size.width === 0 || size.height === 0) throw brokenError('it has no size')
  return { ...size, parts: [view.bytes] }
}

type OnSize = (width: number, height: number) => void

function readSizes(view: ByteView, boxes: readonly Box[], onSize: OnSize): void {
  for (const { type, content, end } of boxes) {
    if (type === SIZE)
      onSize(view.uint32(content + FULL_BOX_BYTES), view.uint32(content + FULL_BOX_BYTES + 4))
    else if (CONTAINERS.has(type)) readSizes(view, listBoxes(view, content, end), onSize)
  }
}

/** Reads the sizes of the tracks of a sequence of images, and overwrites its metadata. */
function readMovie(view: ByteView, container: Box, onSize: OnSize): void {
  for (const box of listBoxes(view, container.content, container.end)) {
    const { type, content, end } = box
    if (MOVIE_METADATA.has(type)) blankBox(view, box)
    else if (CONTAINERS.has(type)) readMovie(view, box, onSize)
    else if (type === SAMPLES) {
      for (const sample of listBoxes(view, content + FULL_BOX_BYTES + 4, end)) {
        if (sample.type !== AV1_SAMPLE) continue
        onSize(
          view.uint16(sample.content + SAMPLE_ENTRY_BYTES),
          view.uint16(sample.content + SAMPLE_ENTRY_BYTES + 2),
        )
      }
    }
  }
}

function blankItems({ bytes }: ByteView, extents: readonly ItemExtent[], limit: number): void {
  let blanked = 0
  for (const { from, to } of extents) {
    blanked += to - from
    // Without a limit, extents that overlap would be hours of work.
    if (blanked > limit) throw new WireError('is damaged: its metadata overlap')
    bytes.fill(0, from, to)
  }
}
