import { type LoadContext, repeatAction, type Scenario } from '../scenario.ts'
import { sendOk } from '../support/requests.ts'

/** Entries of a file: at scale 0.1 and above the 100,000 that an import must finish within two minutes. */
const MAX_ENTRIES = 100_000
const MAX_MS = 120_000
const PART_BYTES = 192 * 1024
const POLL_MS = 100

function createFile(entries: number): Buffer {
  const lines = Array.from({ length: entries }, (_, index) => {
    const isBan = index % 3 === 0
    return `${1_000_000 + index},Player ${index},${isBan ? 'ban' : 'warn'},2026-01-05,${isBan ? 'never' : ''},Exploiting with a tool,Robin,id-${index}`
  })
  return Buffer.from(
    `userId,userUsername,action,occurredAt,until,reason,moderator,sourceId\n${lines.join('\n')}\n`,
  )
}

/** Imports a file as the portal does. @returns how long it took once the file had arrived, in milliseconds */
async function importFile({ url, dataset }: LoadContext, file: Buffer, source: string): Promise<number> {
  const as = { workspace: dataset.texts, kind: 'session' } as const
  const { workspaceId } = dataset.texts
  const post = (path: string, body: object) =>
    sendOk(url, { path: `/portal/api/imports${path}`, body: { workspaceId, ...body }, as })
  const begun = await post('', {
    ...{ format: 'csv', fileName: 'load.csv', sizeBytes: String(file.length), source },
    conflicts: 'supersede',
  })
  const { id } = begun.import
  for (let part = 0; part * PART_BYTES < file.length; part++) {
    const data = file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64')
    await post('/part', { id, part: String(part), data })
  }
  for (const startedAt = performance.now(); ; await Bun.sleep(POLL_MS)) {
    const path = `/portal/api/imports/import?workspaceId=${workspaceId}&id=${id}`
    const { import: current } = await sendOk(url, { path, as })
    if (current.finishedAt === null) continue
    if (current.state !== 'succeeded') throw new Error(`the import has ${current.state}: ${current.error}`)
    return performance.now() - startedAt
  }
}

/** An import into another workspace. */
export const imports: Scenario = {
  name: 'import',
  title: 'import of records from another tool',
  async run(context) {
    const entries = Math.min(MAX_ENTRIES, Math.max(500, Math.round(context.dataset.scale * 1_000_000)))
    const file = createFile(entries)
    let slowest = 0
    const count = await repeatAction(context, async (index) => {
      slowest = Math.max(slowest, await importFile(context, file, `load-${index}`))
    })
    if (slowest > MAX_MS) throw new Error(`an import of ${entries} entries took ${Math.round(slowest)} ms`)
    return `${count} imports of ${entries} entries, the slowest ${(slowest / 1000).toFixed(1)} s`
  },
}
