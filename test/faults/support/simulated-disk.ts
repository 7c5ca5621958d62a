import type { FileOperation } from './strace.ts'

/** The unit that a disk writes atomically: https://sqlite.org/atomiccommit.html#_hardware_assumptions */
const SECTOR = 512

type PendingWrite = Extract<FileOperation, { kind: 'write' | 'truncate' }>

interface SimulatedFile {
  /** What has been synced. */
  synced: Buffer
  size: number
  pending: PendingWrite[]
  /** Whether its directory entry has been synced. */
  isNameSynced: boolean
}

/** What a power cut does to unsynced data: the share that survives, as whole writes or as sectors. */
export interface PowerCut {
  readonly survivalRate: number
  readonly bySector: boolean
}

/**
 * A simulated disk that loses unsynced data. Steps are applied in order; after a power cut, unsynced writes may survive in any
 * part and order.
 */
export function createSimulatedDisk(initialFiles: Readonly<Record<string, Buffer>>) {
  const files = new Map<string, SimulatedFile>(
    Object.entries(initialFiles).map(([name, bytes]) => [
      name,
      { synced: Buffer.from(bytes), size: bytes.length, pending: [], isNameSynced: true },
    ]),
  )
  const getFile = (name: string): SimulatedFile => {
    const existing = files.get(name)
    if (existing) return existing
    const created: SimulatedFile = { synced: Buffer.alloc(0), size: 0, pending: [], isNameSynced: false }
    files.set(name, created)
    return created
  }

  function recordStep(step: FileOperation): void {
    if (step.kind === 'sync') {
      if (step.file === '.') for (const file of files.values()) file.isNameSynced = true
      else syncFile(getFile(step.file))
      return
    }
    if (step.kind === 'remove') throw new Error(`${step.file} was removed: the replay does not support that`)
    const file = getFile(step.file)
    if (step.kind === 'write' || step.kind === 'truncate') file.pending.push(step)
  }

  /** The files after a power cut at this point. */
  function simulateCut({ survivalRate, bySector }: PowerCut, random: () => number): Map<string, Buffer> {
    const result = new Map<string, Buffer>()
    for (const [name, file] of files) {
      if (!file.isNameSynced && random() >= survivalRate) continue
      const copy: SimulatedFile = {
        ...file,
        synced: Buffer.from(file.synced.subarray(0, file.size)),
        pending: [],
      }
      for (const step of file.pending) {
        if (step.kind === 'truncate' || !bySector) {
          if (random() < survivalRate) applyWrite(copy, step)
          continue
        }
        for (const part of splitIntoSectors(step)) if (random() < survivalRate) applyWrite(copy, part)
      }
      result.set(name, copy.synced.subarray(0, copy.size))
    }
    return result
  }

  return { recordStep, simulateCut }
}

function syncFile(file: SimulatedFile): void {
  for (const step of file.pending) applyWrite(file, step)
  file.pending = []
}

function applyWrite(file: SimulatedFile, step: PendingWrite): void {
  if (step.kind === 'truncate') {
    ensureCapacity(file, step.size)
    file.synced.fill(0, step.size, Math.max(step.size, file.size))
    file.size = step.size
    return
  }
  const end = step.offset + step.bytes.length
  ensureCapacity(file, end)
  step.bytes.copy(file.synced, step.offset)
  file.size = Math.max(file.size, end)
}

function ensureCapacity(file: SimulatedFile, size: number): void {
  if (file.synced.length >= size) return
  const larger = Buffer.alloc(Math.max(size, file.synced.length * 2))
  file.synced.copy(larger)
  file.synced = larger
}

function* splitIntoSectors(step: Extract<FileOperation, { kind: 'write' }>): Generator<PendingWrite> {
  for (let start = 0; start < step.bytes.length; ) {
    const end = Math.min(step.bytes.length, start + SECTOR - ((step.offset + start) % SECTOR))
    yield { ...step, offset: step.offset + start, bytes: step.bytes.subarray(start, end) }
    start = end
  }
}
