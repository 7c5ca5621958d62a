/** The smallest valid image of each accepted type. */
export const images = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  jpg: '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
  webp: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  avif: 'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
} as const

export type ImageKind = keyof typeof images

export const imageBytes = (kind: ImageKind): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(images[kind], 'base64'))

/** A data URL with this media type. */
export const dataUrl = (bytes: Uint8Array | string, mediaType = 'image/png'): string =>
  `data:${mediaType};base64,${Buffer.from(bytes as Uint8Array).toString('base64')}`

/** The signature and the header chunk. */
const PNG_HEADER_BYTES = 33
/** A chunk without data. */
const PNG_CHUNK_BYTES = 12

/** A PNG of this many bytes, at least 57. Its pixels are zeros, which no decoder accepts. */
export function createPng(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const png = imageBytes('png')
  bytes.set(png.subarray(0, PNG_HEADER_BYTES))
  new DataView(bytes.buffer).setUint32(PNG_HEADER_BYTES, length - PNG_HEADER_BYTES - 2 * PNG_CHUNK_BYTES)
  bytes.set(Buffer.from('IDAT'), PNG_HEADER_BYTES + 4)
  bytes.set(png.subarray(-PNG_CHUNK_BYTES), length - PNG_CHUNK_BYTES)
  return bytes
}

/** The bytes of the pixels of `createPng`. */
export const pngPixels = (png: Uint8Array): Uint8Array =>
  png.subarray(PNG_HEADER_BYTES + 8, png.length - PNG_CHUNK_BYTES - 4)

/** A PNG of this many bytes with random pixels, which do not compress. */
export function createRandomPng(length: number): Uint8Array {
  const png = createPng(length)
  const pixels = pngPixels(png)
  for (let start = 0; start < pixels.length; start += 65_536)
    crypto.getRandomValues(pixels.subarray(start, start + 65_536))
  return png
}
