import { createHash } from 'node:crypto'

/**
 * The archive format: lines of JSON in parts. Each part is one zstd frame of complete lines, so only one part is in memory at a
 * time, and the concatenated parts are an `.ndjson.zst` file that any zstd tool can read.
 */

/** Identifies the format in the first line. `version` increases when the meaning of lines changes. */
export const ARCHIVE_FORMAT = { format: 'reeve-archive', version: 4 } as const

/** The first line of an archive. */
export interface ArchiveHeader {
  readonly format: string
  readonly version: number
  readonly workspaceId: string
  readonly groupName: string
  readonly ownerId: string
  /** The template of links to players' profiles. Absent in archives from before the setting existed. */
  readonly profileUrl?: string | null
  readonly createdAt: number
  /** The last assigned case number. */
  readonly caseNumber: number
  /** The workspace's change counter: no record has a higher sequence. */
  readonly sequence: number
}

/** Characters per part before compression; compressed, a part has some hundred kilobytes. */
const PART_CHARACTERS = 2 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One line: its kind and its data. */
export type Line = readonly [kind: string, data: Readonly<Record<string, unknown>>]

/** Collects lines into parts. Calls `writePart` when a part is full. */
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
    /** Writes the last part. @returns the total size in bytes, and the SHA-256 of the concatenated parts in hex */
    async finish(): Promise<{ sizeBytes: number; sha256: string }> {
      if (lines.length > 0) await flushPart()
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  }
}

/** Decompresses a part into its lines. */
export function parsePart(bytes: Uint8Array): Line[] {
  const text = utf8.decode(Bun.zstdDecompressSync(bytes))
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
