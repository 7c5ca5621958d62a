import { type Box, blankBox, listBoxes } from './boxes.ts'
import { ByteView, brokenError, fourCharacters, type VideoContent } from './content.ts'

// The boxes of ISO/IEC 14496-12.
const FILE_TYPE = fourCharacters('ftyp')
const MOVIE = fourCharacters('moov')
const SAMPLES = fourCharacters('stsd')
/** The top-level boxes with the video itself. The content of all others is overwritten, so that no second file can hide in them. */
const KEPT = new Set(
  ['ftyp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'ssix', 'styp', 'prft', 'emsg'].map(fourCharacters),
)
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'edts'].map(fourCharacters))
/** Where and with what it was recorded, free text, and extensions. */
const METADATA = new Set(['udta', 'meta', 'uuid', 'free', 'skip'].map(fourCharacters))
/** The kinds of video that browsers play. Their sample entries have the same beginning. */
const VIDEO_SAMPLES = new Set(
  ['avc1', 'avc2', 'avc3', 'avc4', 'hvc1', 'hev1', 'av01', 'vp08', 'vp09', 'mp4v'].map(fourCharacters),
)

/** What a sample entry has before its width. */
const SAMPLE_ENTRY_BYTES = 24
/** The version and flags of a box, and the number of its entries. */
const SAMPLES_HEADER_BYTES = 8

/** The boxes of a video without a limit on its length: a fragment per second, and hundreds of boxes per track. */
const MAX_BOXES = 200_000

/**
 * Checks that an MP4 file consists of boxes, and overwrites its metadata in place: its parts refer to each other by their offsets.
 * @throws WireError
 */
export function readMp4(bytes: Uint8Array): VideoContent {
  const view = new ByteView(bytes, 'video', MAX_BOXES)
  const size = { width: 0, height: 0 }
  const top = listBoxes(view, 0, bytes.length)
  if (top[0]?.type !== FILE_TYPE) throw brokenError('it does not begin with its type')
  for (const box of top) if (!KEPT.has(box.type)) blankBox(view, box)
  const movies = top.filter(({ type }) => type === MOVIE)
  if (movies.length !== 1) throw brokenError(movies.length === 0 ? 'it has no video' : 'it has two videos')
  for (const movie of movies) readMovie(view, movie, size)
  return { ...size, parts: [bytes] }
}

function readMovie(view: ByteView, container: Box, size: { width: number; height: number }): void {
  for (const box of listBoxes(view, container.content, container.end)) {
    if (METADATA.has(box.type)) blankBox(view, box)
    else if (CONTAINERS.has(box.type)) readMovie(view, box, size)
    else if (box.type === SAMPLES) {
      for (const { type, content } of listBoxes(view, box.content + SAMPLES_HEADER_BYTES, box.end)) {
        if (!VIDEO_SAMPLES.has(type)) continue
        size.width = Math.max(size.width, view.uint16(content + SAMPLE_ENTRY_BYTES))
        size.height = Math.max(size.height, view.uint16(content + SAMPLE_ENTRY_BYTES + 2))
      }
    }
  }
}
