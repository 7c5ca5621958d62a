import { type ImageExtension, imageMediaTypes, MAX_IMAGE_BYTES, wire } from '@reeve/core'

/** The bytes of an image, and the type detected from them. */
export interface DecodedImage {
  readonly extension: ImageExtension
  readonly bytes: Uint8Array
}

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

const uint32 = (bytes: Uint8Array, offset: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset)

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
  // A file type box with the brand of a still image or a sequence. https://aomediacodec.github.io/av1-avif/#brands
  avif: (bytes) => {
    if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return false
    const end = uint32(bytes, 0)
    if (end < 16 || end % 4 !== 0 || end > Math.min(bytes.length, 256)) return false
    // The major brand, then (after a version number) the compatible ones.
    for (let offset = 8; offset < end; offset += offset === 8 ? 8 : 4) {
      if (['avif', 'avis'].includes(ascii(bytes, offset, offset + 4))) return true
    }
    return false
  },
}

/** Detects the type of an image from its content; null if it is not supported. */
export function detectImageType(bytes: Uint8Array): ImageExtension | null {
  const extensions = Object.keys(signatures) as ImageExtension[]
  return extensions.find((extension) => signatures[extension](bytes)) ?? null
}

const DATA_URL = /^data:[^,]{0,200};base64,/i

const SUPPORTED_TYPES = 'PNG, JPEG, WebP, GIF or AVIF'

/** Decodes an image from a base64 data URL. The media type in the URL is ignored. */
export const imageDataUrlCodec: wire.Codec<DecodedImage> = {
  read(text) {
    const prefix = DATA_URL.exec(text)?.[0]
    if (prefix === undefined)
      throw new wire.WireError('must be a data URL such as data:image/png;base64,iVBORw0KGgo=')
    const bytes = decodeBase64(text.slice(prefix.length))
    if (bytes === null) throw new wire.WireError('must be complete base64 or base64url after the comma')
    if (bytes.length > MAX_IMAGE_BYTES) throw tooLargeError()
    const extension = detectImageType(bytes)
    if (extension === null)
      throw new wire.WireError(`must be a ${SUPPORTED_TYPES} image, detected from its content`)
    return { extension, bytes }
  },
  write: ({ extension, bytes }) =>
    `data:${imageMediaTypes[extension]};base64,${Buffer.from(bytes).toString('base64')}`,
  description: `${SUPPORTED_TYPES} image as a data URL in base64 or base64url, with or without padding and line breaks, at most ${MAX_IMAGE_BYTES} bytes; its type is detected from its content`,
  example: 'data:image/png;base64,iVBORw0KGgo=',
}

/** Decodes any usual form of base64: also with the URL alphabet, without padding, or with line breaks. Null if it is none. */
function decodeBase64(text: string): Buffer | null {
  const joined = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text
  const isUrlAlphabet = joined.includes('-') || joined.includes('_')
  // Replacing tens of thousands of characters takes longer than everything else, and no encoder mixes the alphabets.
  const isMixed = isUrlAlphabet && (joined.includes('+') || joined.includes('/'))
  const encoded = isMixed ? joined.replaceAll('+', '-').replaceAll('/', '_') : joined
  const encoding = isUrlAlphabet ? 'base64url' : 'base64'
  const bytes = Buffer.from(encoded, encoding)
  // Wrong padding is rejected.
  const padding = encoded.length % 4 !== 0 ? 0 : encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0
  const length = encoded.length - padding
  // The decoder skips characters that are not base64, and the bits of the last one that are left over. Encoding everything again
  // would detect both too, but leave texts of several megabytes to garbage collection.
  const isComplete = length % 4 !== 1 && bytes.length === Math.floor((length * 3) / 4)
  const tail = bytes.subarray(bytes.length - (bytes.length % 3)).toString(encoding)
  const tailLength = length % 4
  return isComplete && tail.slice(0, tailLength) === encoded.slice(length - tailLength, length) ? bytes : null
}

const tooLargeError = () => new wire.WireError(`must be at most ${MAX_IMAGE_BYTES} bytes once decoded`)
