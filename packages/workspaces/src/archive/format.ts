import { createHash } from 'node:crypto'

/**
 * How an archive is written: lines of JSON, in parts that are each a whole zstd frame of whole lines. So no more than a
 * part is ever in memory, and the parts joined are one `.ndjson.zst` file that any zstd tool reads.
 */

/** How much text a part gathers before it is closed, in characters; compressed it comes to some hundred kilobytes. */
const PART_CHARACTERS = 2 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One line: a word for what it is, and its data. */
export type Line = readonly [kind: string, data: Readonly<Record<string, unknown>>]

/** Turns lines into parts, each handed to `put` as soon as it is full. */
export function createPartWriter(writePart: (part: number, bytes: Uint8Array) => Promise<void>) {
  const hash = createHash('sha256')
  let lines: string[] = []
  let characters = 0
  let parts = 0
  let sizeBytes = 0

  async function flushPart(): Promise<void> {
    const bytes = Bun.zstdCompressSync(Buffer.from(lines.join('')))
    hash.update(bytes)
    sizeBytes += bytes.length
    await writePart(parts, bytes)
    parts += 1
    lines = []
    characters = 0
  }

  return {
    async add(line: Line): Promise<void> {
      const text = `${JSON.stringify(line)}\n`
      lines.push(text)
      characters += text.length
      if (characters >= PART_CHARACTERS) await flushPart()
    },
    /** Closes the last part. @returns the bytes of all parts, and the SHA-256 in hex of them joined */
    async finish(): Promise<{ sizeBytes: number; sha256: string }> {
      if (lines.length > 0) await flushPart()
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  }
}

/** The lines of a part. */
export function parsePart(bytes: Uint8Array): Line[] {
  const text = utf8.decode(Bun.zstdDecompressSync(bytes))
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
