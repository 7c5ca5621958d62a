import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '@reeve/db'
import { seededRandom } from '../bench/random.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { BINARY, serve } from '../support/program.ts'
import { lookInto } from './support/check.ts'
import { openDisk } from './support/disk.ts'
import { type Fault, type Plan, someOf } from './support/fault.ts'
import { populate, ports } from './support/population.ts'
import { foldsOf, SERVER_ENVIRONMENT } from './support/server.ts'
import { logWrites, type Step } from './support/strace.ts'
import { type Acknowledged, openLoad } from './support/writers.ts'

const WRITERS = 64
const WORKSPACES = 8
/** Of the cut points, the share in or around a fold of the log into the database: a small part of the steps, and the riskiest. */
const AT_A_FOLD = 0.4

const LOOSE = [process.execPath, join(import.meta.dir, 'support/loose-server.ts')]

/** A run of the server: the files it began with, what it did to them, and what it answered. */
interface Recording {
  readonly begin: Readonly<Record<string, Buffer>>
  readonly steps: readonly Step[]
  readonly acknowledged: readonly Acknowledged[]
  readonly wrong: readonly string[]
}

/** D2: what the server wrote is replayed up to a random step, less some of what it had not synced by then. */
export const powerCut: Fault = {
  promise: 'D2',
  title:
    'power cut: writes and syncs replayed up to random points, unsynced writes dropped or kept at random',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const cuts = plan.cuts ?? (plan.short ? 10 : 300)
    const writes = plan.short ? 200 : 6000
    const recorded = await record(BINARY, writes, plan, chance)
    say(`${recorded.steps.length} steps recorded, ${recorded.acknowledged.length} writes acknowledged`)
    const full = await cutAll(recorded, cuts, chance, (done) => say(`${done} of ${cuts} cuts`))
    const control = await record(LOOSE, writes, plan, chance)
    say(`control: ${control.steps.length} steps, ${control.acknowledged.length} writes acknowledged`)
    const loose = await cutAll(control, cuts, chance, (done) => say(`control: ${done} of ${cuts} cuts`))
    return {
      figures: {
        cuts,
        acknowledged: recorded.acknowledged.length,
        lost: full.lost,
        doubled: full.doubled,
        corrupt: full.corrupt.length,
        folds: recorded.steps.filter(({ file, kind }) => file === 'reeve.db' && kind === 'sync').length,
        'control cuts that lost': `${loose.cutsThatLost} of ${cuts}`,
        'control lost': loose.lost,
      },
      broken: [
        ...someOf('wrong answers', [...recorded.wrong, ...control.wrong]),
        ...(full.lost > 0 ? [`${full.lost} acknowledged writes lost at ${full.cutsThatLost} cuts`] : []),
        ...(full.doubled > 0 ? [`${full.doubled} writes doubled`] : []),
        ...someOf('databases corrupt', full.corrupt),
        ...(loose.cutsThatLost === 0 ? ['the control lost nothing, so this test shows nothing'] : []),
      ],
    }
  },
}

async function record(
  program: readonly string[],
  writes: number,
  { short }: Plan,
  chance: () => number,
): Promise<Recording> {
  const folder = temporaryFolder()
  const load = openLoad(await populate(folder.data, WORKSPACES), WRITERS, chance, { isHeavy: short })
  const names = ['reeve.db', 'instance.json']
  const begin = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder.data, name))]))
  const log = logWrites(folder.data, program)
  try {
    const server = await serve({ dataDir: folder.data, program: log.program, env: SERVER_ENVIRONMENT })
    const hasFolded = foldsOf(folder.data)
    await load.run(server.url, () => load.ledger.acknowledged.length >= writes && hasFolded())
    server.signal('SIGKILL')
    await server.exited
    const { acknowledged, wrong } = load.ledger
    const steps = log.steps()
    needFaithful(begin, steps, folder)
    return { begin, steps, acknowledged, wrong }
  } finally {
    log.remove()
    folder.remove()
  }
}

/** All steps replayed with nothing dropped must give the very files that the server left. */
function needFaithful(begin: Recording['begin'], steps: readonly Step[], folder: TemporaryFolder): void {
  const disk = openDisk(begin)
  for (const step of steps) disk.put(step)
  for (const [name, bytes] of disk.after({ survives: 1, bySector: false }, () => 0)) {
    if (!bytes.equals(readFileSync(join(folder.data, name)))) {
      throw new Error(`the log of the server's writes does not add up to its ${name}`)
    }
  }
}

async function cutAll(
  { begin, steps, acknowledged }: Recording,
  cuts: number,
  chance: () => number,
  tell: (done: number) => void,
) {
  const total = { lost: 0, doubled: 0, cutsThatLost: 0, corrupt: [] as string[] }
  const points = pointsOf(steps, cuts, chance)
  const disk = openDisk(begin)
  let done = 0
  for (const [index, step] of steps.entries()) {
    // A sync under way when the power fails has confirmed nothing; a write may have come through.
    if (step.kind !== 'sync') disk.put(step)
    for (let times = points.get(index) ?? 0; times > 0; times--) {
      const told = acknowledged.filter(({ at }) => at <= step.at)
      const files = disk.after(wayOf(chance), chance)
      const found = await openAfter(files, told)
      total.lost += found.lost
      total.doubled += found.doubled
      total.cutsThatLost += found.lost > 0 ? 1 : 0
      total.corrupt.push(...found.faults.map((fault) => `at step ${index}: ${fault}`))
      done += 1
      if (done % 100 === 0) tell(done)
    }
    if (step.kind === 'sync') disk.put(step)
  }
  return total
}

/** Where to cut: how often at which step. */
function pointsOf(steps: readonly Step[], cuts: number, chance: () => number): Map<number, number> {
  const every = steps.map((_, index) => index)
  const folds = every.filter((index) => steps[index]?.file === 'reeve.db' && steps[index]?.kind !== 'create')
  const points = new Map<number, number>()
  for (let made = 0; made < cuts; made++) {
    const among = folds.length > 0 && chance() < AT_A_FOLD ? folds : every
    const index = among[Math.floor(chance() * among.length)] ?? 0
    points.set(index, (points.get(index) ?? 0) + 1)
  }
  return points
}

/** Nothing unsynced survives, or all of it, or any part. */
function wayOf(chance: () => number) {
  const way = chance()
  const survives = way < 0.25 ? 0 : way < 0.35 ? 1 : chance()
  return { survives, bySector: chance() < 0.6 }
}

/** Starts Reeve's own database on what a power cut left. */
async function openAfter(files: ReadonlyMap<string, Buffer>, told: readonly Acknowledged[]) {
  const folder = temporaryFolder()
  try {
    mkdirSync(folder.data)
    for (const [name, bytes] of files) writeFileSync(join(folder.data, name), bytes)
    const { database } = await openDataFolder(folder.data, ports.now)
    const { lost, doubled, faults } = await lookInto(folder.data, told)
    await database.close()
    return { lost: lost.length, doubled: doubled.length, faults }
  } catch (error) {
    return { lost: 0, doubled: 0, faults: [`it does not open: ${String(error)}`] }
  } finally {
    folder.remove()
  }
}
