import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, serve } from '../support/program.ts'
import { differences, lookInto } from './support/check.ts'
import { type Fault, type Outcome, someOf } from './support/fault.ts'
import { populate } from './support/population.ts'
import { SERVER_ENVIRONMENT } from './support/server.ts'
import { openLoad } from './support/writers.ts'

const WRITERS = 64
const WORKSPACES = 8
/** A folder lives this many cycles, so that looking into all of it stays quick. */
const CYCLES_OF_A_FOLDER = 20

/** D1: the server is killed under load, again and again, and started again on what it left. */
export const kill: Fault = {
  promise: 'D1',
  title: 'kill -9 under load, 64 writers on every write endpoint',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const cycles = plan.cycles ?? (plan.short ? 4 : 200)
    const total = { acknowledged: 0, keptUnanswered: 0, lost: 0, doubled: 0 }
    const broken: string[] = []
    for (let done = 0; done < cycles; ) {
      const some = Math.min(CYCLES_OF_A_FOLDER, cycles - done)
      await oneFolder(some, chance, total, broken)
      done += some
      say(`${done} of ${cycles} kills, ${total.acknowledged} writes acknowledged`)
    }
    return { figures: { cycles, ...total }, broken }
  },
}

async function oneFolder(
  cycles: number,
  chance: () => number,
  total: { acknowledged: number; keptUnanswered: number; lost: number; doubled: number },
  broken: Outcome['broken'] & string[],
): Promise<void> {
  const folder = temporaryFolder()
  const load = openLoad(await populate(folder.data, WORKSPACES), WRITERS, chance)
  const { ledger } = load
  try {
    // The last life ends like the others, and is looked into like them.
    for (let life = 0; life <= cycles; life++) {
      const server = await serve({ dataDir: folder.data, program: BINARY, env: SERVER_ENVIRONMENT })
      await load.settle(server.url)
      const found = await lookInto(folder.data, ledger.acknowledged)
      total.lost += found.lost.length
      total.doubled += found.doubled.length
      broken.push(
        ...someOf('acknowledged writes lost', found.lost),
        ...someOf('writes doubled', found.doubled),
        ...found.faults,
        ...someOf('records differ from their answers', await differences(server.url, ledger)),
      )
      const isLast = life === cycles
      const loading = isLast ? Promise.resolve() : load.run(server.url, () => false)
      if (!isLast) await Bun.sleep(50 + chance() * 350)
      server.signal('SIGKILL')
      await Promise.all([loading, server.exited])
      if (broken.length > 0) break
    }
    total.acknowledged += ledger.acknowledged.length
    total.keptUnanswered += ledger.keptUnanswered
    broken.push(...someOf('wrong answers', ledger.wrong))
  } finally {
    folder.remove()
  }
}
