import type { ImageExtension } from '../image.ts'

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

const uint32 = (bytes: Uint8Array, offset: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset)

/** The brands that a file of the ISO base media format names first: the major one, then the compatible ones. Empty for other files. */
export function listBrands(bytes: Uint8Array): string[] {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return []
  const end = uint32(bytes, 0)
  if (end < 16 || end % 4 !== 0 || end > Math.min(bytes.length, 256)) return []
  const brands: string[] = []
  // A version number follows the major brand.
  for (let offset = 8; offset < end; offset += offset === 8 ? 8 : 4)
    brands.push(ascii(bytes, offset, offset + 4))
  return brands
}

// The library `file-type` 22 is not strict enough: it accepts three bytes as a JPEG, any RIFF/WEBP form, a GIF or PNG without
// its header, and it takes an AVIF that names its brand among the compatible ones for a HEIC.
/** The check of each type: the signature, and the first structure that must follow it. */
const signatures: Readonly<Record<ImageExtension, (bytes: Uint8Array) => boolean>> = {
  // Signature, then the header chunk of 13 bytes with a width and a height. https://www.w3.org/TR/png-3/#5DataRep
  png: (bytes) =>
    bytes.length >= 33 &&
    ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' &&
    uint32(bytes, 8) === 13 &&
    ascii(bytes, 12, 16) === 'IHDR' &&
    uint32(bytes, 16) > 0 &&
    uint32(bytes, 20) > 0,
  // Start of image, then the marker of a table, frame, application segment or comment. ITU-T T.81, table B.1
  jpg: (bytes) =>
    bytes.length >= 4 &&
    ascii(bytes, 0, 3) === '\xff\xd8\xff' &&
    bytes[3] !== 0xff &&
    (bytes[3] ?? 0) >= 0xc0,
  // A RIFF file with one of three bitstream formats. https://www.rfc-editor.org/rfc/rfc9649#section-2
  webp: (bytes) =>
    bytes.length >= 20 &&
    ascii(bytes, 0, 4) === 'RIFF' &&
    ascii(bytes, 8, 12) === 'WEBP' &&
    ['VP8 ', 'VP8L', 'VP8X'].includes(ascii(bytes, 12, 16)),
  // Signature and the screen descriptor. https://www.w3.org/Graphics/GIF/spec-gif89a.txt
  gif: (bytes) => bytes.length >= 13 && ['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6)),
  // The brand of a still image or a sequence. https://aomediacodec.github.io/av1-avif/#brands
  avif: (bytes) => listBrands(bytes).some((brand) => brand === 'avif' || brand === 'avis'),
}

/** Detects the type of an image from its content; null if it is not supported. */
export function detectImageType(bytes: Uint8Array): ImageExtension | null {
  const extensions = Object.keys(signatures) as ImageExtension[]
  return extensions.find((extension) => signatures[extension](bytes)) ?? null
}
