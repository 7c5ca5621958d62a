import { type ImageExtension, MAX_IMAGE_PIXELS } from '../image.ts'
import { WireError } from '../wire-codec.ts'
import { readAvif } from './avif.ts'
import type { ReadContent } from './content.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

const readers: Readonly<Record<ImageExtension, ReadContent>> = {
  png: readPng,
  jpg: readJpeg,
  webp: readWebp,
  gif: readGif,
  avif: readAvif,
}

const PIXELS_PER_MEGAPIXEL = 1_000_000

/** Rejects what would need too much memory to show, by the size that the file declares. @throws WireError */
export function assertPixelLimit(width: number, height: number): void {
  if (width === 0 || height === 0) throw new WireError('is damaged: it has no width or height')
  if (width * height > MAX_IMAGE_PIXELS)
    throw new WireError(
      `must have at most ${MAX_IMAGE_PIXELS / PIXELS_PER_MEGAPIXEL} megapixels; it has ${width} × ${height} pixels`,
    )
}

/**
 * Removes what is not needed to show an image: where and with what it was taken, comments, thumbnails. Its pixels, color profile
 * and orientation stay. Takes milliseconds for 25 MB.
 * @returns the parts that remain, in order; some share the memory of `bytes`
 * @throws WireError for an image that is incomplete, is followed by other data, or has too many pixels
 */
export function selectImageParts(extension: ImageExtension, bytes: Uint8Array): readonly Uint8Array[] {
  const { width, height, parts } = readers[extension](bytes)
  assertPixelLimit(width, height)
  return parts
}

/** `selectImageParts` in one piece. */
export function removeMetadata(extension: ImageExtension, bytes: Uint8Array): Uint8Array {
  const parts = selectImageParts(extension, bytes)
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}
