import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { yieldToEventLoop } from '@reeve/db'
import { runImports } from '@reeve/moderation'
import { usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, type Workspace } from './import-fixture.ts'

let instance: Instance
let workspace: Workspace
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const { sendText, importText, interruptImport, readImport } = createImportRequests(() => instance)

const ENTRIES = 400
/** With two or more for each entry, longer than the lease. */
const STEP_MS = 50
/** A file of many players, which takes more than one transaction. */
const createFile = () =>
  JSON.stringify(
    Array.from({ length: ENTRIES }, (_, index) => ({
      uuid: crypto.randomUUID(),
      name: `player${index}`,
      created: '2024-01-01 12:00:00 +0000',
      source: 'Server',
      expires: 'forever',
      reason: 'Griefing',
    })),
  )

/** Begins an import, and calls a function once some of its records are stored. @returns its id, after it has stopped */
async function stopImport(stop: (id: string) => unknown, signal?: AbortSignal): Promise<string> {
  const id = await sendText(workspace, 'minecraft', 'banned-players.json', createFile())
  await interruptImport(workspace, id, () => stop(id), signal)
  return id
}

const cancel = (id: string) =>
  instance.request('POST', '/portal/api/imports/cancel', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, id },
  })

const readFeed = async (path: string) => {
  const url = `/api/changes${path}workspaceId=${workspace.id}`
  return (await instance.request('GET', url, { key: workspace.key })).body
}

describe('an import that is cancelled while it runs', () => {
  test('has stored exactly the records that it counts', async () => {
    const { result } = await readImport(workspace, await stopImport(cancel))
    expect(result.state).toBe('cancelled')
    expect(Number(result.created)).toBeLessThan(ENTRIES)
    const { sanctions } = await readFeed('/snapshot?limit=1000&')
    expect(sanctions).toHaveLength(Number(result.created))
  })
})

describe('followers of the feed', () => {
  test('read a snapshot after an import, also if they had seen the last of its records before it ended', async () => {
    const process = new AbortController()
    const id = await stopImport(() => process.abort(), process.signal)
    const before = await readFeed('/snapshot?limit=1000&')
    const position = `?since=${before.sequence}&epoch=${before.epoch}&`
    expect(await readFeed(position)).toMatchObject({ changes: [], more: 'false' })
    await cancel(id)
    expect(await readFeed(position)).toMatchObject({ code: 'cursor_gone' })
    const after = await readFeed('/snapshot?limit=1000&')
    expect(after.sanctions).toHaveLength(Number((await readImport(workspace, id)).result.created))
    expect(await readFeed(`?since=${after.sequence}&epoch=${after.epoch}&`)).toMatchObject({ changes: [] })
  })
})

/** Looks for an import as another process does, and gives it back at once. @returns whether it has taken one */
async function takeImport(): Promise<boolean> {
  let reads = 0
  const signal = new AbortController().signal
  // A process reads it before it takes an import, and again if it has one.
  Object.defineProperty(signal, 'aborted', { get: () => reads++ > 0 })
  await runImports({ ...instance.context, runner: 'other', signal, onFailure: rethrow })
  return reads > 1
}
const rethrow = (error: unknown) => {
  throw error
}

// Only processes that share a database wait for each other.
test.if(usePostgres)('no other process takes an import that reads its file for long', async () => {
  const write = (liftedAt: string) =>
    ['userId,occurredAt,unbanned_at,sourceId']
      .concat(Array.from({ length: ENTRIES }, (_, index) => `${261 + index},2026-01-05,${liftedAt},${index}`))
      .join('\n')
  await importText('csv', 'bans.csv', write(''), { workspace })
  const id = await sendText(workspace, 'csv', 'bans.csv', write('2026-01-10'))
  // Time passes with the steps of the import: much more than a process keeps it without a sign.
  const now = () => {
    instance.clock.advance(STEP_MS)
    return instance.clock.now()
  }
  const ports = { ...instance.ports, now }
  const { signal } = new AbortController()
  let isRunning = true
  const running = runImports({
    ...instance.context,
    ...{ ports, runner: 'test', signal, onFailure: rethrow },
  }).finally(() => {
    isRunning = false
  })
  // Until it runs, either of them may take it.
  while ((await readImport(workspace, id)).result.state === 'queued') await yieldToEventLoop()
  while (isRunning) {
    expect(await takeImport()).toBe(false)
    await yieldToEventLoop()
  }
  await running
  expect((await readImport(workspace, id)).result).toMatchObject({
    state: 'succeeded',
    lifted: String(ENTRIES),
  })
})
