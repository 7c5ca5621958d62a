import type { Step } from './strace.ts'

/** What a disk writes whole or not at all: https://sqlite.org/atomiccommit.html#_hardware_assumptions */
const SECTOR = 512

type Pending = Extract<Step, { kind: 'write' | 'truncate' }>

interface File {
  /** What has been synced. */
  kept: Buffer
  size: number
  pending: Pending[]
  /** Whether its name in the folder has been synced. */
  isNamed: boolean
}

/** How a power cut treats what was not synced: the share of it that survives, and whether by whole writes or by sectors. */
export interface Cut {
  readonly survives: number
  readonly bySector: boolean
}

/**
 * A disk that forgets. Steps are done to it in order; what no sync has confirmed may be there after a power cut or not, in
 * any part and any order.
 */
export function openDisk(begin: Readonly<Record<string, Buffer>>) {
  const files = new Map<string, File>(
    Object.entries(begin).map(([name, bytes]) => [
      name,
      { kept: Buffer.from(bytes), size: bytes.length, pending: [], isNamed: true },
    ]),
  )
  const fileOf = (name: string): File => {
    const known = files.get(name)
    if (known) return known
    const made: File = { kept: Buffer.alloc(0), size: 0, pending: [], isNamed: false }
    files.set(name, made)
    return made
  }

  function put(step: Step): void {
    if (step.kind === 'sync') {
      if (step.file === '.') for (const file of files.values()) file.isNamed = true
      else settle(fileOf(step.file))
      return
    }
    if (step.kind === 'remove') throw new Error(`${step.file} was removed: the replay does not know that`)
    const file = fileOf(step.file)
    if (step.kind === 'write' || step.kind === 'truncate') file.pending.push(step)
  }

  /** The files as they are after a power cut now. */
  function after({ survives, bySector }: Cut, chance: () => number): Map<string, Buffer> {
    const found = new Map<string, Buffer>()
    for (const [name, file] of files) {
      if (!file.isNamed && chance() >= survives) continue
      const copy: File = {
        ...file,
        kept: Buffer.from(file.kept.subarray(0, file.size)),
        pending: [],
      }
      for (const step of file.pending) {
        if (step.kind === 'truncate' || !bySector) {
          if (chance() < survives) apply(copy, step)
          continue
        }
        for (const part of sectorsOf(step)) if (chance() < survives) apply(copy, part)
      }
      found.set(name, copy.kept.subarray(0, copy.size))
    }
    return found
  }

  return { put, after }
}

function settle(file: File): void {
  for (const step of file.pending) apply(file, step)
  file.pending = []
}

function apply(file: File, step: Pending): void {
  if (step.kind === 'truncate') {
    grow(file, step.size)
    file.kept.fill(0, step.size, Math.max(step.size, file.size))
    file.size = step.size
    return
  }
  const end = step.offset + step.bytes.length
  grow(file, end)
  step.bytes.copy(file.kept, step.offset)
  file.size = Math.max(file.size, end)
}

function grow(file: File, size: number): void {
  if (file.kept.length >= size) return
  const grown = Buffer.alloc(Math.max(size, file.kept.length * 2))
  file.kept.copy(grown)
  file.kept = grown
}

function* sectorsOf(step: Extract<Step, { kind: 'write' }>): Generator<Pending> {
  for (let from = 0; from < step.bytes.length; ) {
    const next = Math.min(step.bytes.length, from + SECTOR - ((step.offset + from) % SECTOR))
    yield { ...step, offset: step.offset + from, bytes: step.bytes.subarray(from, next) }
    from = next
  }
}
