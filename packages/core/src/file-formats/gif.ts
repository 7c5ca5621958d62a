import { assertNothingFollows, ByteView, brokenError, KeptParts, type ReadContent } from './content.ts'

// The blocks of https://www.w3.org/Graphics/GIF/spec-gif89a.txt
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

const HEADER_BYTES = 13
const DESCRIPTOR_BYTES = 10

/** How often an animation is repeated, and its color profile. */
const KEPT_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

export const readGif: ReadContent = (bytes) => {
  const view = new ByteView(bytes)
  const kept = new KeptParts(bytes)
  let [width, height] = [view.uint16(6, true), view.uint16(8, true)]
  let hasImage = false
  let offset = HEADER_BYTES + colorTableBytes(view.byte(10))
  view.assertContains(offset)
  kept.keep(0, offset)
  for (;;) {
    view.countPart()
    const block = view.byte(offset)
    if (block === TRAILER) {
      if (!hasImage) throw brokenError('it has no pixels')
      kept.keep(offset, offset + 1)
      assertNothingFollows(bytes, offset + 1)
      return { width, height, parts: kept.finish() }
    }
    if (block === EXTENSION) {
      const label = view.byte(offset + 1)
      const end = findBlocksEnd(view, offset + 2)
      const isShown =
        label === GRAPHIC_CONTROL ||
        (label === APPLICATION && KEPT_APPLICATIONS.some((name) => view.hasText(offset + 3, name)))
      if (isShown) kept.keep(offset, end)
      offset = end
    } else if (block === IMAGE) {
      hasImage = true
      // Browsers enlarge the image to the frames that reach beyond it.
      width = Math.max(width, view.uint16(offset + 1, true) + view.uint16(offset + 5, true))
      height = Math.max(height, view.uint16(offset + 3, true) + view.uint16(offset + 7, true))
      const codeSize = offset + DESCRIPTOR_BYTES + colorTableBytes(view.byte(offset + 9))
      const end = findBlocksEnd(view, codeSize + 1)
      kept.keep(offset, end)
      offset = end
    } else throw brokenError('it has a block that is not part of the format')
  }
}

/** The size of the color table that flags announce. */
const colorTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** The end of a sequence of blocks of up to 255 bytes, which an empty one ends. */
function findBlocksEnd(view: ByteView, start: number): number {
  let offset = start
  for (let size = view.byte(offset); size > 0; size = view.byte(offset)) offset += size + 1
  return offset + 1
}
