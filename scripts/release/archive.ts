import { packTar } from 'modern-tar'

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isExecutable?: boolean
}

/** A tenth smaller than the default, and far faster than the best level. */
const LEVEL = 9

/**
 * Packs files into a compressed tar archive. The same files and time give the same bytes: owners, modes and order are fixed.
 * @param folder that the archive extracts to
 * @param time of every file
 */
export async function packArchive(
  folder: string,
  files: readonly ArchiveFile[],
  time: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const owner = { mtime: time, uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1))
  const tar = await packTar([
    { header: { ...owner, name: `${folder}/`, type: 'directory', size: 0, mode: 0o755 } },
    ...sorted.map(({ name, bytes, isExecutable }) => ({
      header: {
        ...owner,
        name: `${folder}/${name}`,
        size: bytes.length,
        mode: isExecutable ? 0o755 : 0o644,
      },
      body: bytes,
    })),
  ])
  return Bun.gzipSync(tar, { library: 'libdeflate', level: LEVEL })
}

/** Renders checksums in the format of `sha256sum --check`, ordered by name. @param checksums by the name of the file */
export const renderChecksums = (checksums: ReadonlyMap<string, string>): string =>
  [...checksums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, checksum]) => `${checksum}  ${name}\n`)
    .join('')
