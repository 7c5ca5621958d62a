/** Bytes of a file that decide about its encoding if it has no byte order mark. */
const SAMPLE_BYTES = 4096
/** UTF-16 without a mark is recognized by its digits, separators and line breaks: at least one in so many characters. */
const CHARACTERS_PER_ASCII = 10
/** So many times as many zero bytes are in their place as in the other one, which few characters have. */
const MIN_RATIO = 4

/**
 * The encoding of a text file: UTF-16 if it has the byte order mark of it, as files of Windows have, or zero bytes where ASCII characters have
 * them in UTF-16, and otherwise UTF-8.
 * @param start the first bytes: two for the mark, and thousands to recognize UTF-16 without it
 */
export function detectEncoding(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = start.subarray(0, SAMPLE_BYTES)
  const isZero = (place: number) => (byte: number, index: number) => byte === 0 && index % 2 === place
  const [even, odd] = [sample.filter(isZero(0)).length, sample.filter(isZero(1)).length]
  const enough = Math.max(1, sample.length / 2 / CHARACTERS_PER_ASCII)
  if (odd >= enough && odd > MIN_RATIO * even) return 'utf-16le'
  return even >= enough && even > MIN_RATIO * odd ? 'utf-16be' : 'utf-8'
}
