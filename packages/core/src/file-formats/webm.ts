import { ByteView, brokenError, type VideoContent } from './content.ts'

// The elements of RFC 8794 (EBML) and RFC 9559 (Matroska), by their IDs.
const HEADER = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const CLUSTER = 0x1f43b675
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const VIDEO = 0xe0
const PIXEL_WIDTH = 0xb0
const PIXEL_HEIGHT = 0xba
const VOID = 0xec
/** Seek head, checksum, info, cues. */
const KEPT = new Set([CLUSTER, TRACKS, 0x114d9b74, 0xbf, 0x1549a966, 0x1c53bb6b])
/** Time code, silent tracks, position, previous size, simple block, block group, encrypted block, checksum, void. */
const CLUSTER_CHILDREN = new Set([0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf, 0xbf, VOID])

const SIGNATURE = Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3)
/** A block per frame of video and audio. */
const MAX_ELEMENTS = 500_000

interface Element {
  readonly id: number
  readonly start: number
  readonly content: number
  /** Where it ends; that of what contains it if the size is unknown, as in a recording that was streamed. */
  readonly end: number
  readonly isOpen: boolean
}

/** Whether a file is WebM, which is the kind of Matroska that browsers play. */
export function isWebm(bytes: Uint8Array): boolean {
  if (!SIGNATURE.every((byte, index) => bytes[index] === byte)) return false
  try {
    const view = new ByteView(bytes, 'video', MAX_ELEMENTS)
    const header = readElement(view, 0, bytes.length)
    return listElements(view, header).some(
      ({ id, content, end }) => id === DOC_TYPE && end - content === 4 && view.hasText(content, 'webm'),
    )
  } catch {
    return false
  }
}

/**
 * Checks that a WebM file consists of elements, and overwrites in place what is not needed to play it: tags, attached files, chapters.
 * @throws WireError
 */
export function readWebm(bytes: Uint8Array): VideoContent {
  const view = new ByteView(bytes, 'video', MAX_ELEMENTS)
  const header = readElement(view, 0, bytes.length)
  const segment = readElement(view, header.end, bytes.length)
  if (header.id !== HEADER || segment.id !== SEGMENT) throw brokenError('it has no video')
  const size = { width: 0, height: 0 }
  let hasCluster = false
  for (let offset = segment.content; offset < segment.end; ) {
    const element = readElement(view, offset, segment.end)
    offset = element.end
    if (element.id === CLUSTER) {
      hasCluster = true
      if (element.isOpen) offset = findClusterEnd(view, element)
    } else if (element.isOpen) throw brokenError('an element has no size')
    if (element.id === TRACKS) readTracks(view, element, size)
    else if (!KEPT.has(element.id)) blankElement(view, element)
  }
  if (!hasCluster) throw brokenError('it has no video')
  // What follows the segment is not part of the video.
  return { ...size, parts: [bytes.subarray(0, segment.end)] }
}

function readTracks(view: ByteView, tracks: Element, size: { width: number; height: number }): void {
  for (const track of listElements(view, tracks)) {
    if (track.id !== TRACK_ENTRY) continue
    for (const video of listElements(view, track)) {
      if (video.id !== VIDEO) continue
      for (const { id, content, end } of listElements(view, video)) {
        if (id === PIXEL_WIDTH) size.width = Math.max(size.width, readNumber(view, content, end))
        if (id === PIXEL_HEIGHT) size.height = Math.max(size.height, readNumber(view, content, end))
      }
    }
  }
}

/** The end of a cluster without a size: where something begins that cannot be in one. */
function findClusterEnd(view: ByteView, { content, end }: Element): number {
  let offset = content
  while (offset < end) {
    const child = readElement(view, offset, end)
    if (!CLUSTER_CHILDREN.has(child.id)) return offset
    if (child.isOpen) throw brokenError('an element has no size')
    offset = child.end
  }
  return offset
}

function listElements(view: ByteView, { content, end }: Element): Element[] {
  const elements: Element[] = []
  for (let offset = content; offset < end; ) {
    const element = readElement(view, offset, end)
    if (element.isOpen) throw brokenError('an element has no size')
    elements.push(element)
    offset = element.end
  }
  return elements
}

function readElement(view: ByteView, start: number, limit: number): Element {
  view.countPart()
  const idBytes = countBytes(view.byte(start))
  if (idBytes > 4) throw brokenError('it has an element that is not part of the format')
  const sizeStart = start + idBytes
  const sizeBytes = countBytes(view.byte(sizeStart))
  const content = sizeStart + sizeBytes
  if (sizeBytes > 8 || content > limit) throw view.incompleteError()
  const firstBits = view.byte(sizeStart) & (0xff >> sizeBytes)
  const size = firstBits * 256 ** (sizeBytes - 1) + readNumber(view, sizeStart + 1, content)
  const isOpen = size === 2 ** (7 * sizeBytes) - 1
  const end = isOpen ? limit : content + size
  if (end > limit) throw view.incompleteError()
  return { id: readNumber(view, start, sizeStart), start, content, end, isOpen }
}

/** The length of a number of variable length, by the leading zeros of its first byte. */
const countBytes = (first: number): number => Math.clz32(first) - 23

function readNumber(view: ByteView, start: number, end: number): number {
  let value = 0
  for (let offset = start; offset < end; offset++) value = value * 256 + view.byte(offset)
  return value
}

/** Turns an element into one that players skip. */
function blankElement({ bytes }: ByteView, { start, end }: Element): void {
  const length = end - start
  bytes.fill(0, start, end)
  bytes[start] = VOID
  // The size takes one byte or eight, and counts what follows it.
  if (length - 2 < 0x7f) bytes[start + 1] = 0x80 | (length - 2)
  else {
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    view.setUint32(start + 1, 0x01000000)
    view.setUint32(start + 5, length - 9)
  }
}
