import { queryServer } from '@reeve/db/test-cluster'
import { seededRandom } from '../../bench/seeded-random.ts'
import { watchForCheckpoint } from '../../faults/support/server-settings.ts'
import { createWriteLoad } from '../../faults/support/write-load.ts'
import { type LoadContext, repeatAction, type Scenario } from '../scenario.ts'

const WRITERS = 64
const WORKSPACES = 8
const SEED = 20_260_301
/** A tenth of a second between checkpoints of a database server. */
const CHECKPOINT_PAUSE_MS = 100

/** @returns the number of acknowledged writes @throws if a response was neither success nor 503 */
async function write(context: LoadContext, isHeavy: boolean): Promise<number> {
  const workspaces = context.dataset.others.slice(0, WORKSPACES)
  const namePrefix = `${Date.now().toString(36)}-`
  const options = { isHeavy, namePrefix }
  const { ledger, run } = createWriteLoad(workspaces, WRITERS, seededRandom(SEED), options)
  const endsAt = performance.now() + context.seconds * 1000
  await run(context.url, () => performance.now() > endsAt)
  if (ledger.unexpectedResponses.length > 0) throw new Error(String(ledger.unexpectedResponses[0]))
  if (ledger.acknowledged.length === 0) throw new Error('no write was acknowledged')
  return ledger.acknowledged.length
}

const writers: Scenario = {
  name: 'writers',
  title: '64 concurrent writers',
  run: async (context) => `${await write(context, false)} writes`,
}

const checkpoints: Scenario = {
  name: 'checkpoints',
  title: 'WAL checkpoints',
  async run(context) {
    const { databaseUrl, dataDir } = context
    if (databaseUrl !== null) {
      const [count, checkpointCount] = await Promise.all([
        write(context, true),
        repeatAction(context, async () => {
          await queryServer(databaseUrl, 'checkpoint')
          await Bun.sleep(CHECKPOINT_PAUSE_MS)
        }),
      ])
      return `${count} writes, ${checkpointCount} checkpoints`
    }
    const hasCheckpointed = watchForCheckpoint(dataDir)
    let count = 0
    // A short load may end before the WAL is large enough.
    do count += await write(context, true)
    while (!hasCheckpointed())
    return `${count} writes with images`
  },
}

/** Writes of many workspaces. */
export const writeScenarios: readonly Scenario[] = [writers, checkpoints]
