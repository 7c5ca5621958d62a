/**
 * The archive format: lines of JSON in parts. Each part is one zstd frame of complete lines, so only one part is in memory at a
 * time, and the concatenated parts are an `.ndjson.zst` file that any zstd tool can read.
 */

/** Identifies the format in the first line. `version` increases when the meaning of lines changes. */
export const ARCHIVE_FORMAT = { format: 'reeve-archive', version: 1 } as const

/** The first line of an archive. */
export interface ArchiveHeader {
  readonly format: string
  readonly version: number
  readonly workspaceId: string
  readonly groupName: string
  readonly ownerId: string
  /** The template of links to players' profiles. */
  readonly profileUrl: string | null
  readonly createdAt: number
  /** The last assigned case number. */
  readonly caseNumber: number
  /** The workspace's change counter: no record has a higher sequence. */
  readonly sequence: number
}

/** Characters per part before compression. Joining and encoding that many takes about a millisecond. */
export const PART_CHARACTERS = 512 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One line: its kind and its data. */
export type Line = readonly [kind: string, data: Readonly<Record<string, unknown>>]

export const formatLine = (line: Line): string => `${JSON.stringify(line)}\n`

export const parseLine = (text: string): Line => JSON.parse(text) as Line

/** Compresses the lines of a part, outside of the main thread. */
export const compressPart = (lines: readonly string[]): Promise<Uint8Array> =>
  Bun.zstdCompress(Buffer.from(lines.join('')))

/** Decompresses a part into the texts of its lines, outside of the main thread. */
export async function decompressPart(bytes: Uint8Array): Promise<string[]> {
  const text = utf8.decode(await Bun.zstdDecompress(bytes))
  const lines = text.split('\n')
  // Every line ends with a newline.
  lines.pop()
  return lines
}
