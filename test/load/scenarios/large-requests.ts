import { connectTo } from '@reeve/db/test-cluster'
import { insertRecordCopies, insertRecordCopiesInFolder } from '../../support/record-copies.ts'
import {
  createStatusCounter,
  type LoadContext,
  type Prepared,
  repeatAction,
  type Scenario,
} from '../scenario.ts'
import { type LoadRequest, send, sendOk } from '../support/requests.ts'

/** The longest comment: 8,000 bytes of UTF-8. */
const COMMENT = '😀'.repeat(2000)
const MAX_COMMENTS = 100
/** A full page at full scale. */
const PAGE = 200
const MIN_RECORDS = 40
const READERS = 4

const createChange = (
  { dataset: { texts } }: LoadContext,
  workspaceId: string,
  fields: object,
): LoadRequest => ({
  path: '/api/moderation',
  body: { workspaceId, ...fields },
  as: { workspace: texts, kind: 'session' },
})

/** Creates a workspace with one record, and adds comments until the server rejects one. */
async function createLargestRecord(context: LoadContext): Promise<{ workspaceId: string; id: string }> {
  const { url, dataset } = context
  const as = { workspace: dataset.texts, kind: 'session' } as const
  const { workspace } = await sendOk(url, { path: '/api/workspaces', body: { groupName: 'Texts' }, as })
  const workspaceId: string = workspace.id
  const note = createChange(context, workspaceId, { action: 'note', userId: '1', reason: 'Long history' })
  const { id } = (await sendOk(url, note)).record
  for (let count = 0; count < MAX_COMMENTS; count++) {
    const change = createChange(context, workspaceId, { action: 'comment', id, value: COMMENT })
    if ((await send(url, change)).status !== 200) break
  }
  return { workspaceId, id }
}

async function copyRecord({ dataDir, databaseUrl }: LoadContext, id: string, count: number): Promise<void> {
  if (databaseUrl === null) return insertRecordCopiesInFolder(dataDir, id, count)
  const { query, close } = await connectTo(databaseUrl)
  const listColumns = () =>
    query<{ table: string; column: string }>(
      `select 'record' as "table", column_name as "column" from information_schema.columns where table_name = 'record'`,
    )
  try {
    await insertRecordCopies({ storage: { query, listColumns } }, id, count, 'PostgreSQL')
  } finally {
    await close()
  }
}

const lists: Scenario = {
  name: 'largest-records',
  title: 'lists of the largest records allowed',
  async prepare(context): Promise<Prepared> {
    const { workspaceId, id } = await createLargestRecord(context)
    const count = Math.min(PAGE, Math.max(MIN_RECORDS, Math.round(PAGE * context.dataset.scale)))
    await copyRecord(context, id, count - 1)
    return { workspaceId }
  },
  async run(context, { workspaceId }) {
    const { url, dataset } = context
    const path = `/api/moderation?limit=${PAGE}&workspaceId=${workspaceId}`
    const statuses = createStatusCounter()
    let bytes = 0
    await Promise.all(
      Array.from({ length: READERS }, () =>
        repeatAction(context, async () => {
          const response = await send(url, { path, as: { workspace: dataset.texts, kind: 'session' } })
          bytes = Math.max(bytes, (await response.arrayBuffer()).byteLength)
          statuses.add(response.status)
        }),
      ),
    )
    if (statuses.get(200) === 0) throw new Error(`no list was read: ${statuses.format()}`)
    return `lists ${statuses.format()}, up to ${Math.ceil(bytes / 1024)} KiB`
  },
}

const edits: Scenario = {
  name: 'edits',
  title: 'edits of the largest record allowed',
  prepare: createLargestRecord,
  async run(context, { workspaceId, id }) {
    const statuses = createStatusCounter()
    await repeatAction(context, async (index) => {
      const severity = index % 2 === 0 ? 'high' : 'low'
      const change = createChange(context, String(workspaceId), { action: 'edit', id, severity })
      statuses.add((await send(context.url, change)).status)
    })
    if (statuses.get(200) === 0) throw new Error(`no edit succeeded: ${statuses.format()}`)
    return `edits ${statuses.format()}`
  },
}

/** As many as fit into a body for events. */
const MEMBERS = 250_000

const wideBodies: Scenario = {
  name: 'wide-bodies',
  title: 'unauthenticated bodies with 250,000 members',
  async run(context) {
    const body = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`a${index}`, 1]))
    const statuses = createStatusCounter()
    await Promise.all(
      Array.from({ length: READERS }, () =>
        repeatAction(context, async () => {
          statuses.add((await send(context.url, { path: '/api/events', body })).status)
        }),
      ),
    )
    return `requests ${statuses.format()}`
  },
}

/** Requests and responses as large as the limits allow. */
export const largeRequestScenarios: readonly Scenario[] = [lists, edits, wideBodies]
