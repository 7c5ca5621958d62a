import { queryServer, type ServerProcess, startServerProcess } from '@reeve/db/test-cluster'
import { seededRandom } from '../bench/seeded-random.ts'
import { pollUntil } from '../support/poll.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkDatabaseServer, findStateDifferences } from './support/database-checks.ts'
import { type FaultTest, summarizeFindings } from './support/fault.ts'
import { populate } from './support/populate.ts'
import { type ReplicaSet, startReplicaSet } from './support/replica-set.ts'
import { createWriteLoad, type WriteLoad } from './support/write-load.ts'

const REPLICAS = 3
const WRITERS = 64
const WORKSPACES = 8
/** Cycles per database; fewer rows keep the check fast. */
const CYCLES_PER_DATABASE = 10
/** Limit for the first successful write after the database accepts connections again. */
const MAX_RECOVERY_MS = 5000

interface Totals {
  kills: number
  crashes: number
  acknowledged: number
  unavailable: number
  committedUnanswered: number
  lost: number
  duplicated: number
  'slowest recovery ms': number
}

/** D7: one of three replicas is killed, or their database crashes, repeatedly under load. */
export const replicas: FaultTest = {
  promise: 'D7',
  title:
    'three replicas behind nginx over PostgreSQL: kill -9 of one, and a crash of the database, under load',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const cycles = plan.cycles ?? (plan.short ? 4 : 100)
    const totals: Totals = {
      ...{
        kills: 0,
        crashes: 0,
        acknowledged: 0,
        unavailable: 0,
        committedUnanswered: 0,
        lost: 0,
        duplicated: 0,
      },
      'slowest recovery ms': 0,
    }
    const failures: string[] = []
    const postgres = startServerProcess(true)
    for (let done = 0; done < cycles && failures.length === 0; ) {
      const batchSize = Math.min(CYCLES_PER_DATABASE, cycles - done)
      await runOnOneDatabase(postgres, `reeve_${done}`, batchSize, random, totals, failures)
      done += batchSize
      log(`${done} of ${cycles} cycles, ${totals.acknowledged} writes acknowledged`)
    }
    postgres.crash()
    return { stats: { cycles, ...totals }, failures }
  },
}

async function runOnOneDatabase(
  postgres: ServerProcess,
  name: string,
  cycles: number,
  random: () => number,
  totals: Totals,
  failures: string[],
): Promise<void> {
  await queryServer(postgres.getUrl('postgres'), `create database ${name}`)
  const url = postgres.getUrl(name)
  const folder = temporaryFolder()
  const workspaces = await populate(folder.data, WORKSPACES, url)
  const replicaSet = await startReplicaSet(REPLICAS, folder.data, url)
  const load = createWriteLoad(workspaces, WRITERS, random, { isBehindProxy: true })
  const { ledger } = load
  try {
    for (let cycle = 0; cycle < cycles && failures.length === 0; cycle++) {
      let isDone = false
      const loadRun = load.run(replicaSet.url, () => isDone)
      await Bun.sleep(50 + random() * 350)
      if (cycle % 2 === 0) {
        totals.kills += 1
        const restart = await replicaSet.kill(Math.floor(random() * REPLICAS))
        await Bun.sleep(random() * 400)
        await restart()
        await waitForMoreWrites(load)
      } else {
        totals.crashes += 1
        const elapsed = await crashDatabase(postgres, url, replicaSet, load, random() * 1000, failures)
        totals['slowest recovery ms'] = Math.max(totals['slowest recovery ms'], elapsed)
      }
      isDone = true
      await loadRun
      await load.retryPending(replicaSet.url)
      const checkResult = await checkDatabaseServer(url, ledger.acknowledged)
      totals.lost += checkResult.lost.length
      totals.duplicated += checkResult.duplicated.length
      failures.push(
        ...summarizeFindings('acknowledged writes lost', checkResult.lost),
        ...summarizeFindings('writes duplicated', checkResult.duplicated),
        ...checkResult.faults,
        ...summarizeFindings(
          'records differ from their responses',
          await findStateDifferences(replicaSet.url, ledger),
        ),
        ...summarizeFindings('unexpected responses', ledger.unexpectedResponses),
      )
      if (replicaSet.unexpectedExits() > 0)
        failures.push(`${replicaSet.unexpectedExits()} replicas exited unexpectedly`)
    }
    totals.acknowledged += ledger.acknowledged.length
    totals.unavailable += ledger.unavailable
    totals.committedUnanswered += ledger.committedUnanswered
  } finally {
    await replicaSet.stop()
    folder.remove()
  }
}

/** Crashes the database and restarts it after a pause. @returns milliseconds until the first successful write */
async function crashDatabase(
  postgres: ServerProcess,
  url: string,
  replicaSet: ReplicaSet,
  load: WriteLoad,
  pauseMs: number,
  failures: string[],
): Promise<number> {
  postgres.crash()
  await pollUntil(() => allReplicasReturn(replicaSet, 503), 'no replica is ready')
  await Bun.sleep(pauseMs)
  const acknowledgedBefore = load.ledger.acknowledged.length
  postgres.restart()
  await pollUntil(() => acceptsConnections(url), 'the database accepts connections')
  const startedAt = Date.now()
  await pollUntil(async () => load.ledger.acknowledged.length > acknowledgedBefore, 'a write succeeds')
  const elapsed = Math.max(0, (load.ledger.acknowledged[acknowledgedBefore]?.at ?? 0) - startedAt)
  if (elapsed > MAX_RECOVERY_MS)
    failures.push(`the first write succeeded ${elapsed} ms after the database was back`)
  await pollUntil(() => allReplicasReturn(replicaSet, 200), 'every replica is ready')
  await waitForMoreWrites(load)
  return elapsed
}

/** Waits until every writer may have received a response. */
async function waitForMoreWrites({ ledger }: WriteLoad): Promise<void> {
  const expectedCount = ledger.acknowledged.length + WRITERS
  await pollUntil(async () => ledger.acknowledged.length >= expectedCount, 'writes succeed again')
}

const acceptsConnections = (url: string): Promise<boolean> =>
  queryServer(url, 'select 1').then(
    () => true,
    () => false,
  )

/** Whether `/readyz` of each replica returns this status. */
async function allReplicasReturn(replicaSet: ReplicaSet, status: number): Promise<boolean> {
  const responses = await Promise.all(
    Array.from({ length: replicaSet.size }, (_, index) => fetch(`${replicaSet.getUrl(index)}/readyz`)),
  )
  return responses.every((response) => response.status === status)
}
