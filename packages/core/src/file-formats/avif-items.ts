import { type Box, listBoxes } from './boxes.ts'
import { type ByteView, brokenError, fourCharacters, incompleteError } from './content.ts'

// ISO/IEC 14496-12, 8.11: the items of a file, their types and where their bytes are.
const [LOCATIONS, ITEMS, ITEM, ITEM_DATA] = ['iloc', 'iinf', 'infe', 'idat'].map(fourCharacters) as [
  number,
  number,
  number,
  number,
]
/** The types of items that contain Exif, XMP and other documents. */
const METADATA_TYPES = new Set(['Exif', 'mime', 'uri '].map(fourCharacters))

/** A range of bytes of an item. */
export interface ItemExtent {
  readonly from: number
  readonly to: number
}

/** Where the metadata of the images in a `meta` box are. @throws WireError */
export function listMetadataExtents(view: ByteView, meta: Box): ItemExtent[] {
  const boxes = listBoxes(view, meta.content + 4, meta.end)
  const items = boxes.find(({ type }) => type === ITEMS)
  const locations = boxes.find(({ type }) => type === LOCATIONS)
  if (!items || !locations) return []
  const ids = listMetadataIds(view, items)
  const data = boxes.find(({ type }) => type === ITEM_DATA)
  return ids.size === 0 ? [] : listExtents(view, locations, ids, data)
}

/** The IDs of the items that are metadata. */
function listMetadataIds(view: ByteView, items: Box): Set<number> {
  const hasLongCount = view.byte(items.content) > 0
  const ids = new Set<number>()
  for (const item of listBoxes(view, items.content + 4 + (hasLongCount ? 4 : 2), items.end)) {
    const version = view.byte(item.content)
    // Earlier versions have no type. They are not allowed in images.
    if (item.type !== ITEM || version < 2) continue
    const idBytes = version === 2 ? 2 : 4
    const id = idBytes === 2 ? view.uint16(item.content + 4) : view.uint32(item.content + 4)
    if (METADATA_TYPES.has(view.uint32(item.content + 4 + idBytes + 2))) ids.add(id)
  }
  return ids
}

function listExtents(
  view: ByteView,
  { content, end }: Box,
  ids: ReadonlySet<number>,
  data: Box | undefined,
): ItemExtent[] {
  const version = view.byte(content)
  const [offsetBytes, lengthBytes] = splitByte(view.byte(content + 4))
  const [baseBytes, indexBytes] = splitByte(view.byte(content + 5))
  let position = content + 6
  const read = (bytes: number): number => {
    if (position + bytes > end) throw incompleteError()
    let value = 0
    for (let index = 0; index < bytes; index++) value = value * 256 + view.byte(position + index)
    position += bytes
    return value
  }
  const extents: ItemExtent[] = []
  const count = read(version < 2 ? 2 : 4)
  for (let item = 0; item < count; item++) {
    view.countPart()
    const isMetadata = ids.has(read(version < 2 ? 2 : 4))
    const method = version === 0 ? 0 : read(2) & 0xf
    read(2)
    const base = read(baseBytes)
    const extentCount = read(2)
    for (let extent = 0; extent < extentCount; extent++) {
      // Fields can have no bytes, so the size of the file does not limit how many there are.
      view.countPart()
      if (version > 0) read(indexBytes)
      const offset = base + read(offsetBytes)
      const length = read(lengthBytes)
      if (isMetadata) extents.push(toExtent(view, method, offset, length, data))
    }
  }
  return extents
}

/** @param method 0: in the file, 1: in the box `idat` */
function toExtent(
  view: ByteView,
  method: number,
  offset: number,
  length: number,
  data: Box | undefined,
): ItemExtent {
  if (method > 1 || (method === 1 && data === undefined))
    throw brokenError('its metadata are in a place that cannot be read')
  const from = offset + (method === 1 && data ? data.content : 0)
  // A length of 0 means everything up to the end.
  const to = length === 0 ? (data && method === 1 ? data.end : view.bytes.length) : from + length
  view.assertContains(to)
  return { from, to }
}

const splitByte = (byte: number): readonly [number, number] => [byte >>> 4, byte & 0xf]
