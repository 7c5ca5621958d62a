import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteImportFiles } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { setRecordBytes } from '../../support/workspace-states.ts'
import { createImportRequests } from '../moderation/import-fixture.ts'
import { countRows, readCounters } from './fixture.ts'

const QUOTA = 5_000_000
const REJECTED = [409, 'storage_quota_exceeded']

let instance: Instance
let operator: string
beforeAll(async () => {
  instance = await openInstance({ storageQuota: QUOTA })
  operator = await instance.session(await instance.account(undefined, true))
})
afterAll(() => instance.close())

const { importText, listRecords } = createImportRequests(() => instance)

/** A CSV file with so many notes about different players. */
const createFile = (entries: number): string =>
  `action,userId,occurredAt,reason,sourceId\n${Array.from(
    { length: entries },
    (_, index) => `note,${index + 1},2026-01-05,${'n'.repeat(100)},s${index}\n`,
  ).join('')}`

const begin = (
  { id: workspaceId, ownerSession: session }: Awaited<ReturnType<Instance['workspace']>>,
  sizeBytes: number,
) =>
  instance.request('POST', '/portal/api/imports', {
    session,
    body: { workspaceId, format: 'csv', fileName: 'a.csv', sizeBytes },
  })

test('a file that does not fit into the storage of the workspace is rejected before it is sent', async () => {
  const workspace = await instance.workspace()
  await setRecordBytes(instance, workspace.id, QUOTA - 1_000_000)
  const { status, body } = await begin(workspace, 1_000_001)
  expect([status, body.code]).toEqual(REJECTED)
  expect(body.error).toBe(
    'The file has 1 MB, and the workspace has only 1 MB of its 5 MB of storage left. Delete archives, or ask an operator of the instance for a higher storage quota.',
  )
  expect((await begin(workspace, 1_000_000)).status).toBe(200)
})

test('the file of an import counts from the start until it is deleted, and what its entries create does then', async () => {
  const workspace = await instance.workspace()
  const { records } = await readCounters(instance, workspace.id)
  const { body } = await begin(workspace, 1_000_000)
  const key = { workspaceId: workspace.id, id: body.import.id }
  expect((await readCounters(instance, workspace.id)).records).toBe(records + 1_000_000)
  expect(await readCounters(instance, workspace.id)).toEqual(await countRows(instance, workspace.id))
  const cancel = { session: workspace.ownerSession, body: key }
  expect((await instance.request('POST', '/portal/api/imports/cancel', cancel)).status).toBe(200)
  await deleteImportFiles(instance.db, instance.ports, AbortSignal.timeout(60_000))
  expect((await readCounters(instance, workspace.id)).records).toBe(records)
  await importText('csv', 'a.csv', `${createFile(30)}ban,7,never,,x\n`, { workspace })
  await deleteImportFiles(instance.db, instance.ports, AbortSignal.timeout(60_000))
  const counters = await readCounters(instance, workspace.id)
  expect(counters.records).toBeGreaterThan(records + 30 * 256)
  expect(counters).toEqual(await countRows(instance, workspace.id))
})

test('an import that uses up the storage ends with the reason and what it has imported, and continues when it is repeated', async () => {
  const workspace = await instance.workspace()
  const file = createFile(100)
  await setRecordBytes(instance, workspace.id, QUOTA - Buffer.byteLength(file) - 30_000)
  const readFeed = async (path: string) =>
    (await instance.request('GET', `/api/changes${path}workspaceId=${workspace.id}`, { key: workspace.key }))
      .body
  const { sequence, epoch } = await readFeed('/snapshot?')
  const { result } = await importText('csv', 'a.csv', file, { workspace })
  const created = Number(result.created)
  expect(created).toBeGreaterThan(0)
  expect(created).toBeLessThan(100)
  expect(result).toMatchObject({ state: 'failed', processed: String(created) })
  expect(result.error).toBe(
    'The workspace uses 5 MB of its 5 MB of storage, so images, archives, copies, imports, notes, comments and evidence are rejected; ' +
      'bans and other moderation actions are still accepted. Delete archives, or ask an operator of the instance for a higher storage quota. ' +
      `${created} entries were processed before. Import the file again once there is space: what was imported stays and is not imported twice.`,
  )
  expect(await listRecords(workspace)).toHaveLength(created)
  expect(await readFeed(`?since=${sequence}&epoch=${epoch}&`)).toMatchObject({ code: 'cursor_gone' })
  await instance.request('POST', '/admin/api/quotas', {
    session: operator,
    body: { workspaceId: workspace.id, storageQuota: '10MB' },
  })
  const repeated = await importText('csv', 'a.csv', file, { workspace })
  expect(repeated.result).toMatchObject({
    state: 'succeeded',
    known: String(created),
    created: String(100 - created),
  })
  expect(await listRecords(workspace)).toHaveLength(100)
})
