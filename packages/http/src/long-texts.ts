import { isAscii } from 'node:buffer'

/** Shorter strings are parsed with the rest: they leave little to garbage collection. */
const MIN_LENGTH = 64 * 1024
/** Strings that are looked at: more than any body that is accepted has. The rest is left to the parser. */
const MAX_STRINGS = 2000

const [QUOTE, COLON, BACKSLASH, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x3a, 0x5c, 0x0a, 0x0d]
const WHITESPACE: readonly (number | undefined)[] = [0x20, 0x09, LINE_FEED, CARRIAGE_RETURN]

/** A JSON document without its long texts. */
export interface ShortenedJson {
  /** The document with a placeholder instead of each long text. */
  readonly bytes: Uint8Array
  /** A long text instead of its placeholder, any other value unchanged. */
  readonly restore: (value: unknown) => unknown
}

/** Nobody can guess it, so no text of a client is taken for a placeholder. */
const PLACEHOLDER = crypto.randomUUID()

/**
 * Takes the long texts out of a JSON document that hold nothing to decode, such as images in base64: parsing it whole needs two copies of
 * each for garbage collection instead of one, and several times as long. Any other text stays in the document.
 * @param document not checked: the parser decides about what remains
 */
export function takeLongTexts(document: Uint8Array): ShortenedJson {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength)
  const texts: string[] = []
  const parts: Uint8Array[] = []
  let partStart = 0
  let open = bytes.indexOf(QUOTE)
  for (let count = 0; open >= 0 && count < MAX_STRINGS; count++) {
    const start = open + 1
    const end = findClosingQuote(bytes, start)
    if (end < 0) break
    if (end - start >= MIN_LENGTH && isMemberValue(bytes, open) && isPlain(bytes.subarray(start, end))) {
      parts.push(bytes.subarray(partStart, start), Buffer.from(`${PLACEHOLDER}${texts.length}`))
      texts.push(bytes.latin1Slice(start, end))
      partStart = end
    }
    open = bytes.indexOf(QUOTE, end + 1)
  }
  if (texts.length === 0) return { bytes: document, restore: (value) => value }
  parts.push(bytes.subarray(partStart))
  return {
    bytes: Buffer.concat(parts),
    restore: (value) =>
      typeof value === 'string' && value.startsWith(PLACEHOLDER)
        ? texts[Number(value.slice(PLACEHOLDER.length))]
        : value,
  }
}

/** The index of the quote that closes a string: the next one after an even number of backslashes. -1 without one. */
function findClosingQuote(bytes: Buffer, start: number): number {
  let quote = bytes.indexOf(QUOTE, start)
  while (quote >= 0) {
    let before = quote
    while (bytes[before - 1] === BACKSLASH) before -= 1
    if ((quote - before) % 2 === 0) return quote
    quote = bytes.indexOf(QUOTE, quote + 1)
  }
  return -1
}

/** Whether the string that begins at `open` follows a colon: names and items of lists stay. */
function isMemberValue(bytes: Buffer, open: number): boolean {
  let before = open - 1
  while (WHITESPACE.includes(bytes[before])) before -= 1
  return bytes[before] === COLON
}

/** ASCII without escapes and line breaks: what JSON does not allow besides, no field for a long text accepts. */
const isPlain = (text: Buffer): boolean =>
  isAscii(text) && [BACKSLASH, LINE_FEED, CARRIAGE_RETURN].every((byte) => !text.includes(byte))
