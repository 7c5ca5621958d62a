import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { setRecordBytes } from '../../support/workspace-states.ts'
import { createRequests, readCounters } from './fixture.ts'

let instance: Instance
let operator: string
beforeAll(async () => {
  instance = await openInstance({ storageQuota: 1_000_000 })
  operator = await instance.session(await instance.account(undefined, true))
})
afterAll(() => instance.close())

const setQuota = (workspaceId: string, storageQuota: unknown) =>
  instance.request('POST', '/admin/api/quotas', { session: operator, body: { workspaceId, storageQuota } })

/** A workspace that stores two megabytes. */
async function createLargeWorkspace() {
  const workspace = await instance.workspace()
  await setRecordBytes(instance, workspace.id, 2_000_000)
  const { moderate } = createRequests(instance, workspace)
  const note = async () => (await moderate({ action: 'note', userId: '9', reason: 'Seen' })).status
  return { ...workspace, note }
}

test('the default of the instance applies until an operator sets another quota, which applies from the next request', async () => {
  const [{ id, note }, other] = [await createLargeWorkspace(), await createLargeWorkspace()]
  expect(await note()).toBe(409)
  expect((await setQuota(id, '3 MB')).body.quota).toEqual({
    workspaceId: id,
    monthlyQuota: null,
    storageQuota: '3000000',
  })
  expect(await note()).toBe(200)
  await setQuota(id, '2000000')
  expect(await note()).toBe(409)
  expect((await setQuota(id, 0)).body.quota.storageQuota).toBe('0')
  expect(await note()).toBe(200)
  expect((await setQuota(id, null)).body.quota.storageQuota).toBeNull()
  expect(await note()).toBe(409)
  expect(await other.note()).toBe(409)
})

test('a storage quota and a request quota do not change each other, and a change is in the audit log', async () => {
  const { id, ownerSession } = await instance.workspace()
  await setQuota(id, '5GB')
  const body = { workspaceId: id, monthlyQuota: '1000' }
  const { quota } = (await instance.request('POST', '/admin/api/quotas', { session: operator, body })).body
  expect(quota).toEqual({ workspaceId: id, monthlyQuota: '1000', storageQuota: '5000000000' })
  const { entries } = (
    await instance.request('GET', `/portal/api/audit?workspaceId=${id}&limit=2`, { session: ownerSession })
  ).body
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(['quotas.set', 'quotas.set'])
  expect(entries[1].changes).toMatchObject({
    before: { storageQuota: null },
    after: { storageQuota: '5000000000' },
  })
})

test('a text that is not a size is rejected', async () => {
  const { id } = await instance.workspace()
  for (const text of ['much', '-1', '5 gigs', '']) {
    const { status, body } = await setQuota(id, text)
    expect([text, status, body.details?.[0].field]).toEqual([text, 400, 'storageQuota'])
  }
})

test('staff see the stored bytes by kind and the quota, operators the sum for every workspace', async () => {
  const { id, ownerSession, note } = await createLargeWorkspace()
  await setQuota(id, '1GB')
  await note()
  const { records, images, archives, responses } = await readCounters(instance, id)
  expect(records).toBeGreaterThan(2_000_000)
  const usage = await instance.request('GET', `/portal/api/usage?workspaceId=${id}`, {
    session: ownerSession,
  })
  expect(usage.body.storage).toEqual({
    bytes: String(records + images + archives + responses),
    limit: '1000000000',
    records: String(records),
    images: '0',
    evidence: '0',
    archives: '0',
    responses: '0',
  })
  const list = () => instance.request('GET', `/admin/api/workspaces?q=${id}`, { session: operator })
  expect((await list()).body.workspaces[0]).toMatchObject({
    storageBytes: usage.body.storage.bytes,
    storageQuota: '1000000000',
    storageLimit: '1000000000',
  })
  await setQuota(id, null)
  expect((await list()).body.workspaces[0]).toMatchObject({ storageQuota: null, storageLimit: '1000000' })
  await setQuota(id, '0')
  expect((await list()).body.workspaces[0]).toMatchObject({ storageQuota: '0', storageLimit: null })
})

test('an unknown query parameter is an error that names it, and sets no quota', async () => {
  const { id } = await instance.workspace()
  const { status, body } = await instance.request('POST', '/admin/api/quotas?storageQouta=1', {
    session: operator,
    body: { workspaceId: id, storageQuota: '3 MB' },
  })
  expect([status, body.details]).toEqual([400, [{ field: 'storageQouta', message: expect.any(String) }]])
})
