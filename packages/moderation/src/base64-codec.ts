import { wire } from '@reeve/core'

/** Bytes in base64. @param subject what they are, for the documentation */
export const base64Codec = (subject: string, maxBytes: number): wire.Codec<Uint8Array> => ({
  read(text) {
    const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
    const bytes = isBase64 ? Buffer.from(text, 'base64') : null
    if (bytes === null || bytes.length === 0 || bytes.length > maxBytes)
      throw new wire.WireError(`must be 1 to ${maxBytes} bytes in base64`)
    return bytes
  },
  write: (bytes) => Buffer.from(bytes).toString('base64'),
  description: `${subject} in base64, at most ${maxBytes} bytes`,
  example: 'W10=',
})

/** The size of a request body with so many bytes in base64, and other fields. */
export const toBase64BodyLimit = (maxBytes: number): number => Math.ceil(maxBytes / 3) * 4 + 1024
