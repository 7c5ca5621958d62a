/** What the header of an executable says. */
export interface Header {
  readonly format: 'ELF' | 'Mach-O'
  readonly architecture: 'x64' | 'arm64'
  /** The dynamic linker that it names. */
  readonly interpreter: string
}

/** Sources: elf.h and mach/machine.h. */
const ELF_MACHINES: Readonly<Record<number, Header['architecture']>> = { 62: 'x64', 183: 'arm64' }
const MACHO_CPUS: Readonly<Record<number, Header['architecture']>> = { 16777223: 'x64', 16777228: 'arm64' }

const ELF_MAGIC = 0x464c457f
const MACHO_MAGIC = 0xfeedfacf
const PT_INTERP = 3
const LC_LOAD_DYLINKER = 0xe
const LC_CODE_SIGNATURE = 0x1d

/** Reads the header of an executable. @throws Error if it is neither ELF nor Mach-O for a known 64-bit processor */
export function readHeader(bytes: Uint8Array): Header {
  const view = toView(bytes)
  const magic = view.getUint32(0, true)
  if (magic === ELF_MAGIC)
    return {
      format: 'ELF',
      architecture: requireKnown(ELF_MACHINES[view.getUint16(18, true)]),
      interpreter: readInterpreter(bytes),
    }
  if (magic !== MACHO_MAGIC) throw new Error(`unknown file type ${magic.toString(16)}`)
  const linker = findLoadCommand(bytes, LC_LOAD_DYLINKER)
  return {
    format: 'Mach-O',
    architecture: requireKnown(MACHO_CPUS[view.getUint32(4, true)]),
    interpreter: readText(bytes, linker + view.getUint32(linker + 8, true)),
  }
}

const toView = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

function requireKnown<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('unknown processor')
  return value
}

const readText = (bytes: Uint8Array, start: number): string =>
  new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)))

function readInterpreter(bytes: Uint8Array): string {
  const view = toView(bytes)
  const [table, size, count] = [
    view.getBigUint64(32, true),
    view.getUint16(54, true),
    view.getUint16(56, true),
  ]
  for (let index = 0; index < count; index++) {
    const entry = Number(table) + index * size
    if (view.getUint32(entry, true) === PT_INTERP)
      return readText(bytes, Number(view.getBigUint64(entry + 8, true)))
  }
  throw new Error('no dynamic linker')
}

/** @returns the offset of a load command of a Mach-O file */
function findLoadCommand(bytes: Uint8Array, wanted: number): number {
  const view = toView(bytes)
  let offset = 32
  for (let left = view.getUint32(16, true); left > 0; left--) {
    if (view.getUint32(offset, true) === wanted) return offset
    offset += view.getUint32(offset + 4, true)
  }
  throw new Error(`no load command ${wanted}`)
}

/** The code directory of a signature. Source: CS_CodeDirectory in cs_blobs.h of XNU. */
const CODE_DIRECTORY = 0xfade0c02
const CS_ADHOC = 2

/** Whether a Mach-O file has an ad-hoc signature whose hashes are those of its pages. macOS ends a program without one on arm64. */
export function hasValidSignature(bytes: Uint8Array): boolean {
  const view = toView(bytes)
  const signature = view.getUint32(findLoadCommand(bytes, LC_CODE_SIGNATURE) + 8, true)
  const directory = signature + view.getUint32(signature + 16)
  if (view.getUint32(directory) !== CODE_DIRECTORY) return false
  const [flags, hashes, pages, limit] = [12, 16, 28, 32].map((at) => view.getUint32(directory + at))
  if (flags === undefined || hashes === undefined || pages === undefined || limit !== signature) return false
  const pageSize = 2 ** view.getUint8(directory + 39)
  return (
    (flags & CS_ADHOC) !== 0 &&
    pages === Math.ceil(limit / pageSize) &&
    Array.from({ length: pages }).every((_, page) => {
      const content = bytes.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit))
      const expected = bytes.subarray(directory + hashes + page * 32, directory + hashes + (page + 1) * 32)
      return new Bun.CryptoHasher('sha256').update(content).digest().equals(expected)
    })
  )
}
