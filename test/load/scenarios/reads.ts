import { openConnection } from '../../faults/support/connection.ts'
import { createAuthHeaders } from '../../faults/support/write-load.ts'
import { createStatusCounter, repeatAction, type Scenario } from '../scenario.ts'
import { send } from '../support/requests.ts'

const LINE_FEED = 0x0a

const csv: Scenario = {
  name: 'csv',
  title: 'CSV export of all records',
  async run(context) {
    const { url, dataset } = context
    const path = `/portal/api/moderation.csv?workspaceId=${dataset.large.workspaceId}`
    const count = await repeatAction(context, async () => {
      const response = await send(url, { path, as: { workspace: dataset.large, kind: 'session' } })
      let lines = 0
      for await (const chunk of response.body ?? []) for (const byte of chunk) lines += +(byte === LINE_FEED)
      if (response.status !== 200 || lines < dataset.largeRecords)
        throw new Error(`the export returned ${response.status} with ${lines} lines`)
    })
    return `${count} exports`
  },
}

/** Frequent and rare parts of names, single letters, and the names of the player who has many. */
const SEARCHES = ['a', 'bu', 'builder', 'wolf', 'alt', 'alt1', 'dragon_knight99', 'zzqx', '1']
const SEARCHERS = 8
/** The default rate limit of a session: 1,200 requests per minute. */
const SEARCH_INTERVAL_MS = 50

const search: Scenario = {
  name: 'search',
  title: 'player search of 8 people at their rate limit',
  async run(context) {
    const { url, dataset } = context
    const headers = createAuthHeaders(dataset.large, 'session')
    const statuses = createStatusCounter()
    await Promise.all(
      Array.from({ length: SEARCHERS }, async (_, searcher) => {
        const connection = openConnection(url)
        await repeatAction(context, async (index) => {
          const nextAt = performance.now() + SEARCH_INTERVAL_MS
          const text = SEARCHES[(searcher + index) % SEARCHES.length]
          const path = `/portal/api/players?workspaceId=${dataset.large.workspaceId}&q=${text}`
          statuses.add((await connection.request({ method: 'GET', path, headers })).status)
          await Bun.sleep(Math.max(0, nextAt - performance.now()))
        })
        connection.close()
      }),
    )
    if (statuses.get(200) === 0) throw new Error(`no search succeeded: ${statuses.format()}`)
    return `searches ${statuses.format()}`
  },
}

/** Reads of everything in a workspace. */
export const readScenarios: readonly Scenario[] = [csv, search]
