import type { FileOperation } from './strace.ts'

/** The unit that a disk writes atomically: https://sqlite.org/atomiccommit.html#_hardware_assumptions */
const SECTOR = 512

/** A write to a file, or a change of its size. */
export type Write =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }

/** The content of a file on a disk that loses unsynced data. */
export interface SimulatedFile {
  /** What has been synced. */
  synced: Buffer
  size: number
  pending: Write[]
}

interface NamedFile extends SimulatedFile {
  /** Whether its directory entry has been synced. */
  isNameSynced: boolean
}

/** @param content counts as synced */
export const createFile = (content: Buffer): SimulatedFile => ({
  synced: Buffer.from(content),
  size: content.length,
  pending: [],
})

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
  const files = new Map<string, NamedFile>(
    Object.entries(initialFiles).map(([name, bytes]) => [name, { ...createFile(bytes), isNameSynced: true }]),
  )
  const getFile = (name: string): NamedFile => {
    const existing = files.get(name)
    if (existing) return existing
    const created: NamedFile = { ...createFile(Buffer.alloc(0)), isNameSynced: false }
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
  function simulateCut(cut: PowerCut, random: () => number): Map<string, Buffer> {
    const result = new Map<string, Buffer>()
    for (const [name, file] of files) {
      if (!file.isNameSynced && random() >= cut.survivalRate) continue
      result.set(name, survivingContent(file, cut, random))
    }
    return result
  }

  return { recordStep, simulateCut }
}

/** Unsynced data is lost completely, partly or not at all. */
export function pickPowerCut(random: () => number): PowerCut {
  const roll = random()
  const survivalRate = roll < 0.25 ? 0 : roll < 0.35 ? 1 : random()
  return { survivalRate, bySector: random() < 0.6 }
}

/** What is left of a file after a power cut. */
export function survivingContent(
  file: SimulatedFile,
  { survivalRate, bySector }: PowerCut,
  random: () => number,
): Buffer {
  const copy = createFile(file.synced.subarray(0, file.size))
  for (const step of file.pending) {
    if (step.kind === 'truncate' || !bySector) {
      if (random() < survivalRate) applyWrite(copy, step)
      continue
    }
    for (const part of splitIntoSectors(step)) if (random() < survivalRate) applyWrite(copy, part)
  }
  return copy.synced.subarray(0, copy.size)
}

export function syncFile(file: SimulatedFile): void {
  for (const step of file.pending) applyWrite(file, step)
  file.pending = []
}

function applyWrite(file: SimulatedFile, step: Write): void {
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

function* splitIntoSectors(step: Extract<Write, { kind: 'write' }>): Generator<Write> {
  for (let start = 0; start < step.bytes.length; ) {
    const end = Math.min(step.bytes.length, start + SECTOR - ((step.offset + start) % SECTOR))
    yield { ...step, offset: step.offset + start, bytes: step.bytes.subarray(start, end) }
    start = end
  }
}
