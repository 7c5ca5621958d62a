import { type ImageExtension, imageMediaTypes, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, wire } from '@reeve/core'
import { detectImageType, removeMetadata } from '@reeve/core/file-formats'
import { freeBytes } from '@reeve/db'

/** The bytes of an image without its metadata, and the type detected from them. */
export interface DecodedImage {
  readonly extension: ImageExtension
  readonly bytes: Uint8Array
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
    const image = removeMetadata(extension, bytes)
    if (image.buffer !== bytes.buffer) freeBytes(bytes)
    return { extension, bytes: image }
  },
  write: ({ extension, bytes }) =>
    `data:${imageMediaTypes[extension]};base64,${Buffer.from(bytes).toString('base64')}`,
  description: `${SUPPORTED_TYPES} image as a data URL in base64 or base64url, with or without padding and line breaks, at most ${MAX_IMAGE_BYTES} bytes and ${MAX_IMAGE_PIXELS} pixels; its type is detected from its content, and its metadata are removed`,
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
