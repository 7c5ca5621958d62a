import { seededRandom } from '../bench/seeded-random.ts'
import { BINARY, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkDataFolder, findStateDifferences } from './support/database-checks.ts'
import { type FaultResult, type FaultTest, summarizeFindings } from './support/fault.ts'
import { populate } from './support/populate.ts'
import { LOAD_SERVER_ENV } from './support/server-settings.ts'
import { createWriteLoad } from './support/write-load.ts'

const WRITERS = 64
const WORKSPACES = 8
/** Cycles per folder; fewer rows keep the check fast. */
const CYCLES_PER_FOLDER = 20

/** D1: the server is killed under load repeatedly, and restarted on the same folder. */
export const kill: FaultTest = {
  promise: 'D1',
  title: 'kill -9 under load, 64 writers on every write endpoint',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const cycles = plan.cycles ?? (plan.short ? 4 : 200)
    const totals = { acknowledged: 0, committedUnanswered: 0, lost: 0, duplicated: 0 }
    const failures: string[] = []
    for (let done = 0; done < cycles; ) {
      const batchSize = Math.min(CYCLES_PER_FOLDER, cycles - done)
      await runOnOneFolder(batchSize, random, totals, failures)
      done += batchSize
      log(`${done} of ${cycles} kills, ${totals.acknowledged} writes acknowledged`)
    }
    return { stats: { cycles, ...totals }, failures }
  },
}

async function runOnOneFolder(
  cycles: number,
  random: () => number,
  totals: { acknowledged: number; committedUnanswered: number; lost: number; duplicated: number },
  failures: FaultResult['failures'] & string[],
): Promise<void> {
  const folder = temporaryFolder()
  const load = createWriteLoad(await populate(folder.data, WORKSPACES), WRITERS, random)
  const { ledger } = load
  try {
    // The last run ends with a kill and a check like the others.
    for (let cycle = 0; cycle <= cycles; cycle++) {
      const server = await startServer({ dataDir: folder.data, program: BINARY, env: LOAD_SERVER_ENV })
      await load.retryPending(server.url)
      const checkResult = await checkDataFolder(folder.data, ledger.acknowledged)
      totals.lost += checkResult.lost.length
      totals.duplicated += checkResult.duplicated.length
      failures.push(
        ...summarizeFindings('acknowledged writes lost', checkResult.lost),
        ...summarizeFindings('writes duplicated', checkResult.duplicated),
        ...checkResult.faults,
        ...summarizeFindings(
          'records differ from their responses',
          await findStateDifferences(server.url, ledger),
        ),
      )
      const isLast = cycle === cycles
      const loadRun = isLast ? Promise.resolve() : load.run(server.url, () => false)
      if (!isLast) await Bun.sleep(50 + random() * 350)
      server.signal('SIGKILL')
      await Promise.all([loadRun, server.exited])
      if (failures.length > 0) break
    }
    totals.acknowledged += ledger.acknowledged.length
    totals.committedUnanswered += ledger.committedUnanswered
    failures.push(...summarizeFindings('unexpected responses', ledger.unexpectedResponses))
  } finally {
    folder.remove()
  }
}
