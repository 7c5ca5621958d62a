import { queryServer, type ServerProcess, startServerProcess } from '@reeve/db/test-cluster'
import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { differences, lookIntoServer } from './support/check.ts'
import { type Fault, someOf } from './support/fault.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { populate } from './support/population.ts'
import { type Load, openLoad } from './support/writers.ts'

const REPLICAS = 3
const WRITERS = 64
const WORKSPACES = 8
/** A database lives this many cycles, so that looking into all of it stays quick. */
const CYCLES_OF_A_DATABASE = 10
/** How long the first write may take that is answered after the database accepts connections again. */
const MOST_RECOVERY_MS = 5000
/** How long anything else is waited for that has to come. */
const MOST_WAIT_MS = 60_000
const PAUSE_MS = 5

interface Total {
  kills: number
  crashes: number
  acknowledged: number
  unavailable: number
  keptUnanswered: number
  lost: number
  doubled: number
  'slowest recovery ms': number
}

/** D7: one of three replicas is killed, or their database crashes, again and again under load. */
export const replicas: Fault = {
  promise: 'D7',
  title:
    'three replicas behind nginx over PostgreSQL: kill -9 of one, and a crash of the database, under load',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const cycles = plan.cycles ?? (plan.short ? 4 : 100)
    const total: Total = {
      ...{ kills: 0, crashes: 0, acknowledged: 0, unavailable: 0, keptUnanswered: 0, lost: 0, doubled: 0 },
      'slowest recovery ms': 0,
    }
    const broken: string[] = []
    const server = startServerProcess(true)
    for (let done = 0; done < cycles && broken.length === 0; ) {
      const some = Math.min(CYCLES_OF_A_DATABASE, cycles - done)
      await oneDatabase(server, `reeve_${done}`, some, chance, total, broken)
      done += some
      say(`${done} of ${cycles} cycles, ${total.acknowledged} writes acknowledged`)
    }
    server.crash()
    return { figures: { cycles, ...total }, broken }
  },
}

async function oneDatabase(
  server: ServerProcess,
  name: string,
  cycles: number,
  chance: () => number,
  total: Total,
  broken: string[],
): Promise<void> {
  await queryServer(server.getUrl('postgres'), `create database ${name}`)
  const url = server.getUrl(name)
  const folder = temporaryFolder()
  const places = await populate(folder.data, WORKSPACES, url)
  const fleet = await startFleet(REPLICAS, folder.data, url)
  const load = openLoad(places, WRITERS, chance, { isBehindProxy: true })
  const { ledger } = load
  try {
    for (let cycle = 0; cycle < cycles && broken.length === 0; cycle++) {
      let isOver = false
      const loading = load.run(fleet.url, () => isOver)
      await Bun.sleep(50 + chance() * 350)
      if (cycle % 2 === 0) {
        total.kills += 1
        const startAgain = await fleet.kill(Math.floor(chance() * REPLICAS))
        await Bun.sleep(chance() * 400)
        await startAgain()
        await moreWrites(load)
      } else {
        total.crashes += 1
        const took = await crash(server, url, fleet, load, chance() * 1000, broken)
        total['slowest recovery ms'] = Math.max(total['slowest recovery ms'], took)
      }
      isOver = true
      await loading
      await load.settle(fleet.url)
      const found = await lookIntoServer(url, ledger.acknowledged)
      total.lost += found.lost.length
      total.doubled += found.doubled.length
      broken.push(
        ...someOf('acknowledged writes lost', found.lost),
        ...someOf('writes doubled', found.doubled),
        ...found.faults,
        ...someOf('records differ from their answers', await differences(fleet.url, ledger)),
        ...someOf('wrong answers', ledger.wrong),
      )
      if (fleet.ended() > 0) broken.push(`${fleet.ended()} replicas ended by themselves`)
    }
    total.acknowledged += ledger.acknowledged.length
    total.unavailable += ledger.unavailable
    total.keptUnanswered += ledger.keptUnanswered
  } finally {
    await fleet.stop()
    folder.remove()
  }
}

/** The database is gone at once, and comes back after a pause. @returns how long after that the first write was answered, in milliseconds */
async function crash(
  server: ServerProcess,
  url: string,
  fleet: Fleet,
  load: Load,
  pause: number,
  broken: string[],
): Promise<number> {
  server.crash()
  await until(() => everyReplica(fleet, 503), 'every replica says that it is not ready')
  await Bun.sleep(pause)
  const before = load.ledger.acknowledged.length
  server.restart()
  await until(() => accepts(url), 'the database accepts connections')
  const since = Date.now()
  await until(async () => load.ledger.acknowledged.length > before, 'a write is answered')
  const took = Math.max(0, (load.ledger.acknowledged[before]?.at ?? 0) - since)
  if (took > MOST_RECOVERY_MS) broken.push(`the first write came ${took} ms after the database`)
  await until(() => everyReplica(fleet, 200), 'every replica says that it is ready')
  await moreWrites(load)
  return took
}

/** Waits until every writer may have been answered. */
async function moreWrites({ ledger }: Load): Promise<void> {
  const wanted = ledger.acknowledged.length + WRITERS
  await until(async () => ledger.acknowledged.length >= wanted, 'writes are answered again')
}

const accepts = (url: string): Promise<boolean> =>
  queryServer(url, 'select 1').then(
    () => true,
    () => false,
  )

/** Whether each replica answers `/readyz` with this status. */
async function everyReplica(fleet: Fleet, status: number): Promise<boolean> {
  const answers = await Promise.all(
    Array.from({ length: fleet.size }, (_, index) => fetch(`${fleet.at(index)}/readyz`)),
  )
  return answers.every((answer) => answer.status === status)
}

async function until(holds: () => Promise<boolean>, words: string): Promise<void> {
  const since = performance.now()
  while (!(await holds())) {
    if (performance.now() - since > MOST_WAIT_MS) throw new Error(`it never came that ${words}`)
    await Bun.sleep(PAUSE_MS)
  }
}
