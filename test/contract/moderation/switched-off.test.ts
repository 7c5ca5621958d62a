import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stopAfter } from '../../support/workspace-jobs.ts'
import { openBatchFixture } from './batch-fixture.ts'
import { createImportRequests } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const { sendText, readImport } = createImportRequests(() => instance)

const switchModeration = (workspace: { id: string; ownerSession: string }, mode: string, message?: string) =>
  instance.request('POST', '/portal/api/endpoint-controls', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, endpoint: 'moderation', mode, message },
  })

test('a batch ends once Moderation is read-only, and bans nobody more', async () => {
  const fixture = await openBatchFixture(instance)
  const userIds = Array.from({ length: 12 }, (_, index) => `player${index}`)
  const { id } = await fixture.queue({ action: 'ban', userIds, reason: 'Raid' })
  await instance.runJobs(stopAfter(6))
  const { batch: running } = await fixture.readBatch(id)
  expect(Number(running.succeeded)).toBeGreaterThan(0)
  await switchModeration(fixture, 'read_only', 'Wrong list of players.')
  await instance.runJobs()
  const { batch } = await fixture.readBatch(id)
  expect(batch).toMatchObject({
    state: 'failed',
    succeeded: running.succeeded,
    error: 'Moderation was switched to read-only. “Wrong list of players.”',
  })
  await switchModeration(fixture, 'on')
  expect(await fixture.listActiveBans()).toHaveLength(Number(running.succeeded))
  const { batch: reversal } = await fixture.reverse(id)
  expect(reversal).toMatchObject({ state: 'succeeded', succeeded: running.succeeded })
  expect(await fixture.listActiveBans()).toEqual([])
})

test('an import ends once Moderation is off, and can neither be begun nor continued', async () => {
  const workspace = await instance.workspace()
  const text = JSON.stringify([
    {
      uuid: crypto.randomUUID(),
      name: 'Griefer',
      created: '2024-01-01 12:00:00 +0000',
      source: 'Server',
      expires: 'forever',
      reason: 'Griefing',
    },
  ])
  const start = () => sendText(workspace, 'minecraft', 'banned-players.json', text)
  const id = await start()
  await switchModeration(workspace, 'off')
  await instance.runImports()
  const { result } = await readImport(workspace, id)
  expect(result).toMatchObject({ state: 'failed', created: '0', error: 'Moderation was switched off.' })
  for (const [path, body] of [
    ['', { format: 'minecraft', fileName: 'banned-players.json', sizeBytes: text.length }],
    ['/part', { id, part: 0, data: btoa(text) }],
    ['/apply', { id }],
  ] as const) {
    const response = await instance.request('POST', `/portal/api/imports${path}`, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, ...body },
    })
    expect([path, response.status, response.body.reason]).toEqual([path, 403, 'endpoint_disabled'])
  }
  await switchModeration(workspace, 'on')
  const waiting = await start()
  await switchModeration(workspace, 'read_only')
  const cancelled = await instance.request('POST', '/portal/api/imports/cancel', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, id: waiting },
  })
  expect(cancelled.body.import).toMatchObject({ state: 'cancelled' })
})
