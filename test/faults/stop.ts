import { statSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../bench/seeded-random.ts'
import { BINARY, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkDataFolder } from './support/database-checks.ts'
import { type FaultTest, summarizeFindings } from './support/fault.ts'
import { populate } from './support/populate.ts'
import { LOAD_SERVER_ENV } from './support/server-settings.ts'
import { createWriteLoad } from './support/write-load.ts'

const WRITERS = 64
const WORKSPACES = 8

/** D4: the server is stopped under load. It responds to every request it accepted, and performs no write without a response. */
export const stop: FaultTest = {
  promise: 'D4',
  title: 'SIGTERM under load: every accepted request gets a response, exit status 0, the WAL is checkpointed',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const stops = plan.cycles ?? (plan.short ? 2 : 40)
    const stats = {
      stops,
      acknowledged: 0,
      lost: 0,
      duplicated: 0,
      'truncated responses': 0,
      'committed without response': 0,
      'closed before response, not committed': 0,
      'slowest ms': 0,
    }
    const failures: string[] = []
    const folder = temporaryFolder()
    try {
      const load = createWriteLoad(await populate(folder.data, WORKSPACES), WRITERS, random)
      for (let stopCount = 0; stopCount < stops && failures.length === 0; stopCount++) {
        const server = await startServer({ dataDir: folder.data, program: BINARY, env: LOAD_SERVER_ENV })
        await load.retryPending(server.url)
        const loadRun = load.run(server.url, () => false)
        await Bun.sleep(50 + random() * 350)
        const startedAt = performance.now()
        server.signal('SIGTERM')
        const [exitCode] = await Promise.all([server.exited, loadRun])
        stats['slowest ms'] = Math.max(stats['slowest ms'], Math.round(performance.now() - startedAt))
        if (exitCode !== 0) failures.push(`the server exited with ${exitCode}`)
        const walBytes = statSync(join(folder.data, 'reeve.db-wal'), { throwIfNoEntry: false })?.size ?? 0
        if (walBytes > 0) failures.push(`${walBytes} bytes of the WAL were not checkpointed`)
        const checkResult = await checkDataFolder(folder.data, load.ledger.acknowledged)
        const withoutResponse = load.listPendingIds().filter((id) => checkResult.presentIds.has(id))
        stats['committed without response'] += withoutResponse.length
        stats.lost += checkResult.lost.length
        stats.duplicated += checkResult.duplicated.length
        failures.push(
          ...summarizeFindings('acknowledged writes lost', checkResult.lost),
          ...summarizeFindings('writes duplicated', checkResult.duplicated),
          ...summarizeFindings('writes committed without a response', withoutResponse),
          ...checkResult.faults,
        )
        if ((stopCount + 1) % 10 === 0) log(`${stopCount + 1} of ${stops} stops`)
      }
      stats['truncated responses'] = load.ledger.truncatedResponses
      stats['closed before response, not committed'] =
        load.ledger.closedConnections - stats['committed without response']
      stats.acknowledged = load.ledger.acknowledged.length
      if (load.ledger.truncatedResponses > 0)
        failures.push(`${load.ledger.truncatedResponses} responses were truncated`)
      if (load.ledger.unavailable > 0) failures.push(`${load.ledger.unavailable} responses were 503`)
      failures.push(...summarizeFindings('unexpected responses', load.ledger.unexpectedResponses))
    } finally {
      folder.remove()
    }
    return { stats, failures }
  },
}
