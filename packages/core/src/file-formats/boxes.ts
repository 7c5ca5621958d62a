import { type ByteView, brokenError, fourCharacters } from './content.ts'

/** A box of the ISO base media file format. */
export interface Box {
  readonly type: number
  readonly start: number
  /** Where its content begins. */
  readonly content: number
  readonly end: number
}

/** Lists the boxes in a range, which they fill completely. @throws WireError */
export function listBoxes(view: ByteView, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let start = from; start < to; ) {
    view.countPart()
    let length = view.uint32(start)
    let content = start + 8
    if (length === 1) {
      // A size of 64 bits; no file is that large.
      if (view.uint32(start + 8) !== 0) throw view.incompleteError()
      length = view.uint32(start + 12)
      content += 8
    } else if (length === 0) length = to - start
    const end = start + length
    if (end > to) throw view.incompleteError()
    if (end < content) throw brokenError('a box is shorter than its header')
    boxes.push({ type: view.uint32(start + 4), start, content, end })
    start = end
  }
  return boxes
}

const FREE = fourCharacters('free')

/** Turns a box into an empty one that readers skip. */
export function blankBox({ bytes }: ByteView, { start, content, end }: Box): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(start + 4, FREE)
  bytes.fill(0, content, end)
}
