/** The tag of the orientation, and the type of its value. Source: Exif 3.0, 4.6.5.1.6 */
const ORIENTATION_TAG = 0x0112
const SHORT = 3
/** Where the only entry has its value. */
const VALUE_OFFSET = 18

/**
 * Replaces Exif data by those that contain nothing but the orientation: without it, photos of phones would be shown lying on
 * their side.
 * @param tiff Exif data, from their byte order mark on
 * @returns null if they say nothing, or that the image is upright already
 */
export function reduceToOrientation(tiff: Uint8Array): Uint8Array | null {
  const orientation = readOrientation(tiff)
  if (orientation === null || orientation < 2 || orientation > 8) return null
  const reduced = Uint8Array.fromHex('49492a0008000000010012010300010000000000000000000000')
  reduced[VALUE_OFFSET] = orientation
  return reduced
}

function readOrientation(tiff: Uint8Array): number | null {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (tiff.length < 8) return null
  const isLittleEndian = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, isLittleEndian)
  if (directory + 2 > tiff.length) return null
  const count = view.getUint16(directory, isLittleEndian)
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12
    if (entry + 12 > tiff.length) return null
    if (view.getUint16(entry, isLittleEndian) !== ORIENTATION_TAG) continue
    const type = view.getUint16(entry + 2, isLittleEndian)
    return type === SHORT ? view.getUint16(entry + 8, isLittleEndian) : null
  }
  return null
}
