/** Sources: mach-o/loader.h, and cs_blobs.h of XNU. */
const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d
const EMBEDDED_SIGNATURE = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
/** The first version with the fields about the executable segment. */
const DIRECTORY_VERSION = 0x20400
const CS_ADHOC = 2
const CS_EXECSEG_MAIN_BINARY = 1n
const HASH_SHA256 = 2

const HASH_BYTES = 32
/** macOS on x64 accepts only this size. */
const PAGE_BITS = 12
const PAGE_BYTES = 2 ** PAGE_BITS
/** The size of the signature's header with one entry, and of the code directory without its identifier and hashes. */
const HEADER_BYTES = 20
const DIRECTORY_BYTES = 88

const IDENTIFIER = new TextEncoder().encode('reeve\0')

interface LoadCommands {
  /** The offsets of the commands in the file. */
  readonly signature: number
  readonly text: number
  readonly linkEdit: number
}

/**
 * Replaces the signature of a Mach-O executable by an ad-hoc one. Bun signs what it compiles for arm64; for x64 it leaves the
 * signature of its own executable, whose hashes are wrong for the new content, so that macOS ends the program.
 * @param executable ends with its signature, as linkers write it
 */
export function signAdHoc(executable: Uint8Array): Uint8Array<ArrayBuffer> {
  const commands = findLoadCommands(executable)
  const limit = toView(executable).getUint32(commands.signature + 8, true)
  const pages = Math.ceil(limit / PAGE_BYTES)
  const hashOffset = DIRECTORY_BYTES + IDENTIFIER.length
  const directoryBytes = hashOffset + pages * HASH_BYTES
  const signatureBytes = HEADER_BYTES + directoryBytes

  const signed = new Uint8Array(limit + signatureBytes)
  signed.set(executable.subarray(0, limit))
  const view = toView(signed)
  // The load commands are part of what is hashed.
  view.setUint32(commands.signature + 12, signatureBytes, true)
  const linkEditBytes = signed.length - Number(view.getBigUint64(commands.linkEdit + 40, true))
  view.setBigUint64(commands.linkEdit + 48, BigInt(linkEditBytes), true)
  const memoryBytes = Math.ceil(linkEditBytes / PAGE_BYTES) * PAGE_BYTES
  view.setBigUint64(commands.linkEdit + 32, BigInt(memoryBytes), true)

  // One entry of type 0: the code directory, after the header.
  writeWords(view, limit, [EMBEDDED_SIGNATURE, signatureBytes, 1, 0, HEADER_BYTES])
  const directory = limit + HEADER_BYTES
  writeWords(view, directory, [
    ...[CODE_DIRECTORY, directoryBytes, DIRECTORY_VERSION, CS_ADHOC],
    ...[hashOffset, DIRECTORY_BYTES, 0, pages, limit],
  ])
  signed.set([HASH_BYTES, HASH_SHA256, 0, PAGE_BITS], directory + 36)
  view.setBigUint64(directory + 64, view.getBigUint64(commands.text + 40, true))
  view.setBigUint64(directory + 72, view.getBigUint64(commands.text + 48, true))
  view.setBigUint64(directory + 80, CS_EXECSEG_MAIN_BINARY)
  signed.set(IDENTIFIER, directory + DIRECTORY_BYTES)
  for (let page = 0; page < pages; page++) {
    const content = signed.subarray(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, limit))
    const hash = new Bun.CryptoHasher('sha256').update(content).digest()
    signed.set(hash, directory + hashOffset + page * HASH_BYTES)
  }
  return signed
}

const toView = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** Writes 32-bit numbers, the most significant byte first, as in all of a signature. */
function writeWords(view: DataView, offset: number, words: readonly number[]): void {
  for (const [index, word] of words.entries()) view.setUint32(offset + index * 4, word)
}

/** @throws Error if a command is missing */
function findLoadCommands(executable: Uint8Array): LoadCommands {
  const view = toView(executable)
  const found = new Map<string, number>()
  let offset = 32
  for (let left = view.getUint32(16, true); left > 0; left--) {
    const kind = view.getUint32(offset, true)
    if (kind === LC_CODE_SIGNATURE) found.set('signature', offset)
    if (kind === LC_SEGMENT_64) {
      const name = new TextDecoder().decode(executable.subarray(offset + 8, offset + 24))
      found.set(name.replace(/\0+$/, ''), offset)
    }
    offset += view.getUint32(offset + 4, true)
  }
  const require = (name: string): number => {
    const command = found.get(name)
    if (command === undefined) throw new Error(`The executable for macOS has no ${name}.`)
    return command
  }
  return { signature: require('signature'), text: require('__TEXT'), linkEdit: require('__LINKEDIT') }
}
