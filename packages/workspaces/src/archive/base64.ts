import { createTimeSlicer } from '@reeve/db'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The two characters of each 12 bits, the first one in the lower byte. */
const characterPairs = Uint16Array.from(
  { length: 4096 },
  (_, bits) => ALPHABET.charCodeAt(bits >> 6) | (ALPHABET.charCodeAt(bits & 63) << 8),
)

/** Bytes that are encoded between two looks at the clock: a multiple of three. */
const STEP_BYTES = 24 * 1024

/**
 * Encodes a large binary value in base64, in steps between which requests run. `toString('base64')` takes three times as long and
 * leaves texts of the same size to garbage collection: with images of 2 MB, they were most of its work.
 */
export async function encodeBase64(bytes: Uint8Array): Promise<Uint8Array> {
  const yieldIfDue = createTimeSlicer()
  const wholeBytes = bytes.length - (bytes.length % 3)
  const tail = Buffer.from(bytes.subarray(wholeBytes)).toString('base64')
  const encoded = new Uint8Array((wholeBytes / 3) * 4 + tail.length)
  const pairs = new Uint16Array(encoded.buffer, 0, (wholeBytes / 3) * 2)
  for (let start = 0; start < wholeBytes; start += STEP_BYTES) {
    encodeStep(bytes, start, Math.min(start + STEP_BYTES, wholeBytes), pairs)
    await yieldIfDue()
  }
  new TextEncoder().encodeInto(tail, encoded.subarray(pairs.byteLength))
  return encoded
}

function encodeStep(bytes: Uint8Array, start: number, end: number, pairs: Uint16Array): void {
  let next = (start / 3) * 2
  for (let index = start; index < end; index += 3) {
    const [first, second, third] = [bytes[index] ?? 0, bytes[index + 1] ?? 0, bytes[index + 2] ?? 0]
    pairs[next] = characterPairs[(first << 4) | (second >> 4)] ?? 0
    pairs[next + 1] = characterPairs[((second & 15) << 8) | third] ?? 0
    next += 2
  }
}
