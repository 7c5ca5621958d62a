import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { pickPowerCut } from './simulated-disk.ts'
import { createSimulatedTree } from './simulated-folder.ts'
import { type FolderOperation, traceFolder } from './trace-folder.ts'

/** A command that the power is cut during. All its files are in one folder. */
export interface InterruptedCommand {
  readonly name: string
  /** Creates what is there before. */
  readonly prepare: (root: string) => Promise<void>
  /** Runs the command until it is done. */
  readonly run: (root: string, trace: (program: readonly string[]) => readonly string[]) => Promise<void>
  /**
   * Checks what a power cut has left, and that the command can be run again.
   * @param isDone whether the power was cut after the command had reported success
   * @returns whether the command had been effective, and what is wrong
   */
  readonly check: (
    root: string,
    isDone: boolean,
  ) => Promise<{ isComplete: boolean; failures: readonly string[] }>
}

/** Records a command once, and cuts the power at random steps of it. */
export async function cutCommand(command: InterruptedCommand, cuts: number, random: () => number) {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  const initial = join(folder.path, 'initial')
  const failures: string[] = []
  let complete = 0
  try {
    mkdirSync(root)
    await command.prepare(root)
    cpSync(root, initial, { recursive: true })
    const steps = await recordCommand(command, root)
    assertReplayMatches(root, initial, steps)
    for (let cut = 0; cut < cuts && failures.length === 0; cut++) {
      // The first one is after the command: then it must have been effective.
      const end = cut === 0 ? steps.length : pickCutPoint(steps, random)
      replay(root, initial, steps.slice(0, end)).cutPower(pickPowerCut(random), random)
      const result = await command.check(root, end === steps.length)
      if (result.isComplete) complete += 1
      const at = `cut after step ${end} of ${steps.length} (${steps[end - 1]?.kind ?? 'none'})`
      failures.push(...result.failures.map((failure) => `${at}: ${failure}`))
      if (end === steps.length && !result.isComplete) failures.push(`${at}: it had reported success`)
    }
    // Had the command synced nothing, a power cut after it would lose everything.
    const unsynced = steps.filter(({ kind }) => kind !== 'sync')
    replay(root, initial, unsynced).cutPower({ survivalRate: 0, bySector: false }, random)
    const control = await command.check(root, true)
    if (control.isComplete && control.failures.length === 0)
      failures.push('the control without syncs lost nothing, so this test proves nothing')
    return { cuts, complete, steps: steps.length, failures }
  } finally {
    folder.remove()
  }
}

/** Half of the cuts are before or after a step other than a write: few of the steps, but the riskiest. */
function pickCutPoint(steps: readonly FolderOperation[], random: () => number): number {
  const risky = steps.flatMap(({ kind }, index) => (kind === 'write' || kind === 'truncate' ? [] : [index]))
  if (random() < 0.5 || risky.length === 0) return Math.floor(random() * steps.length)
  const index = risky[Math.floor(random() * risky.length)] ?? 0
  return random() < 0.5 ? index : index + 1
}

async function recordCommand(command: InterruptedCommand, root: string): Promise<FolderOperation[]> {
  const traces: ReturnType<typeof traceFolder>[] = []
  try {
    await command.run(root, (program) => {
      const trace = traceFolder(root, program)
      traces.push(trace)
      return trace.program
    })
    return traces.flatMap((trace) => trace.readOperations())
  } finally {
    for (const trace of traces) trace.remove()
  }
}

function replay(root: string, initial: string, steps: readonly FolderOperation[]) {
  rmSync(root, { recursive: true, force: true })
  cpSync(initial, root, { recursive: true })
  const tree = createSimulatedTree(root)
  for (const step of steps) tree.recordStep(step)
  return tree
}

/** Replaying all steps without losses must produce exactly the files that the command left. */
function assertReplayMatches(root: string, initial: string, steps: readonly FolderOperation[]): void {
  const expected = readFiles(root)
  replay(root, initial, steps).cutPower({ survivalRate: 1, bySector: false }, () => 0)
  const replayed = readFiles(root)
  const names = new Set([...expected.keys(), ...replayed.keys()])
  const differing = [...names].filter((name) => expected.get(name) !== replayed.get(name))
  if (differing.length > 0)
    throw new Error(`replaying the operations of the command does not reproduce ${differing.join(', ')}`)
}

/** The checksums of all files in a folder. The shared memory of SQLite is written without system calls, and rebuilt. */
function readFiles(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true }).map(String)
  const files = names.filter((name) => statSync(join(root, name)).isFile() && !name.endsWith('-shm'))
  return new Map(files.map((name) => [name, Bun.SHA256.hash(readFileSync(join(root, name)), 'hex')]))
}
