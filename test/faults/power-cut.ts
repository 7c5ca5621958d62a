import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '@reeve/db'
import { seededRandom } from '../bench/seeded-random.ts'
import { BINARY, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { checkDataFolder } from './support/database-checks.ts'
import { type FaultTest, type Plan, summarizeFindings } from './support/fault.ts'
import { populate, ports } from './support/populate.ts'
import { LOAD_SERVER_ENV, watchForCheckpoint } from './support/server-settings.ts'
import { createSimulatedDisk, pickPowerCut } from './support/simulated-disk.ts'
import { type FileOperation, traceWrites } from './support/strace.ts'
import { type Acknowledged, createWriteLoad } from './support/write-load.ts'

const WRITERS = 64
const WORKSPACES = 8
/** Share of cut points during or near a checkpoint: few of the steps, but the riskiest. */
const CHECKPOINT_CUT_SHARE = 0.4

const UNSYNCED_PROGRAM = [process.execPath, join(import.meta.dir, 'support/unsynced-server.ts')]

/** A run of the server: the initial files, the steps on them, and the acknowledged writes. */
interface Recording {
  readonly initialFiles: Readonly<Record<string, Buffer>>
  readonly steps: readonly FileOperation[]
  readonly acknowledged: readonly Acknowledged[]
  readonly unexpectedResponses: readonly string[]
}

/** D2: the server's writes are replayed up to a random step, minus some of what was not synced by then. */
export const powerCut: FaultTest = {
  promise: 'D2',
  title: 'power cut: writes and syncs replayed up to random points, unsynced writes dropped at random',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const cuts = plan.cuts ?? (plan.short ? 10 : 300)
    const writes = plan.short ? 200 : 6000
    const recording = await recordRun(BINARY, writes, plan, random)
    log(`${recording.steps.length} steps recorded, ${recording.acknowledged.length} writes acknowledged`)
    const result = await simulateCuts(recording, cuts, random, (done) => log(`${done} of ${cuts} cuts`))
    const controlRecording = await recordRun(UNSYNCED_PROGRAM, writes, plan, random)
    log(
      `control: ${controlRecording.steps.length} steps, ${controlRecording.acknowledged.length} writes acknowledged`,
    )
    const controlResult = await simulateCuts(controlRecording, cuts, random, (done) =>
      log(`control: ${done} of ${cuts} cuts`),
    )
    return {
      stats: {
        cuts,
        acknowledged: recording.acknowledged.length,
        lost: result.lost,
        duplicated: result.duplicated,
        corrupt: result.corrupt.length,
        checkpoints: recording.steps.filter(({ file, kind }) => file === 'reeve.db' && kind === 'sync')
          .length,
        'control cuts with losses': `${controlResult.cutsThatLost} of ${cuts}`,
        'control lost': controlResult.lost,
      },
      failures: [
        ...summarizeFindings('unexpected responses', [
          ...recording.unexpectedResponses,
          ...controlRecording.unexpectedResponses,
        ]),
        ...(result.lost > 0
          ? [`${result.lost} acknowledged writes lost at ${result.cutsThatLost} cuts`]
          : []),
        ...(result.duplicated > 0 ? [`${result.duplicated} writes duplicated`] : []),
        ...summarizeFindings('databases corrupt', result.corrupt),
        ...(controlResult.cutsThatLost === 0
          ? ['the control lost nothing, so this test proves nothing']
          : []),
      ],
    }
  },
}

async function recordRun(
  program: readonly string[],
  writes: number,
  { short }: Plan,
  random: () => number,
): Promise<Recording> {
  const folder = temporaryFolder()
  const load = createWriteLoad(await populate(folder.data, WORKSPACES), WRITERS, random, { isHeavy: short })
  const names = ['reeve.db', 'instance.json']
  const initialFiles = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder.data, name))]))
  const trace = traceWrites(folder.data, program)
  try {
    const server = await startServer({ dataDir: folder.data, program: trace.program, env: LOAD_SERVER_ENV })
    const hasCheckpointed = watchForCheckpoint(folder.data)
    await load.run(server.url, () => load.ledger.acknowledged.length >= writes && hasCheckpointed())
    server.signal('SIGKILL')
    await server.exited
    const { acknowledged, unexpectedResponses } = load.ledger
    const steps = trace.readOperations()
    assertReplayMatches(initialFiles, steps, folder)
    return { initialFiles, steps, acknowledged, unexpectedResponses }
  } finally {
    trace.remove()
    folder.remove()
  }
}

/** Replaying all steps without losses must produce exactly the files that the server left. */
function assertReplayMatches(
  initialFiles: Recording['initialFiles'],
  steps: readonly FileOperation[],
  folder: TemporaryFolder,
): void {
  const disk = createSimulatedDisk(initialFiles)
  for (const step of steps) disk.recordStep(step)
  for (const [name, bytes] of disk.simulateCut({ survivalRate: 1, bySector: false }, () => 0)) {
    if (!bytes.equals(readFileSync(join(folder.data, name)))) {
      throw new Error(`replaying the server's writes does not reproduce its ${name}`)
    }
  }
}

async function simulateCuts(
  { initialFiles, steps, acknowledged }: Recording,
  cuts: number,
  random: () => number,
  onProgress: (done: number) => void,
) {
  const totals = { lost: 0, duplicated: 0, cutsThatLost: 0, corrupt: [] as string[] }
  const cutPoints = pickCutPoints(steps, cuts, random)
  const disk = createSimulatedDisk(initialFiles)
  let done = 0
  for (const [index, step] of steps.entries()) {
    // A sync in progress when power fails has confirmed nothing; its writes may have reached the disk.
    if (step.kind !== 'sync') disk.recordStep(step)
    for (let times = cutPoints.get(index) ?? 0; times > 0; times--) {
      const acknowledgedBefore = acknowledged.filter(({ at }) => at <= step.at)
      const files = disk.simulateCut(pickPowerCut(random), random)
      const checkResult = await checkAfterCut(files, acknowledgedBefore)
      totals.lost += checkResult.lost
      totals.duplicated += checkResult.duplicated
      totals.cutsThatLost += checkResult.lost > 0 ? 1 : 0
      totals.corrupt.push(...checkResult.faults.map((fault) => `at step ${index}: ${fault}`))
      done += 1
      if (done % 100 === 0) onProgress(done)
    }
    if (step.kind === 'sync') disk.recordStep(step)
  }
  return totals
}

/** Where to cut the power, and how often. */
function pickCutPoints(
  steps: readonly FileOperation[],
  cuts: number,
  random: () => number,
): Map<number, number> {
  const allSteps = steps.map((_, index) => index)
  const checkpointSteps = allSteps.filter(
    (index) => steps[index]?.file === 'reeve.db' && steps[index]?.kind !== 'create',
  )
  const cutPoints = new Map<number, number>()
  for (let pointCount = 0; pointCount < cuts; pointCount++) {
    const candidates =
      checkpointSteps.length > 0 && random() < CHECKPOINT_CUT_SHARE ? checkpointSteps : allSteps
    const index = candidates[Math.floor(random() * candidates.length)] ?? 0
    cutPoints.set(index, (cutPoints.get(index) ?? 0) + 1)
  }
  return cutPoints
}

/** Opens the database that a power cut left, like a server. */
async function checkAfterCut(
  files: ReadonlyMap<string, Buffer>,
  acknowledgedBefore: readonly Acknowledged[],
) {
  const folder = temporaryFolder()
  try {
    mkdirSync(folder.data, { mode: 0o700 })
    for (const [name, bytes] of files) writeFileSync(join(folder.data, name), bytes)
    const { database } = await openDataFolder(folder.data, { now: ports.now })
    const { lost, duplicated, faults } = await checkDataFolder(folder.data, acknowledgedBefore)
    await database.close()
    return { lost: lost.length, duplicated: duplicated.length, faults }
  } catch (error) {
    return { lost: 0, duplicated: 0, faults: [`the database does not open: ${String(error)}`] }
  } finally {
    folder.remove()
  }
}
