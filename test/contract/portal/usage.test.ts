import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let instance: Instance
let operatorId: string
const path = '/portal/api/usage'

beforeAll(async () => {
  instance = await openInstance()
  operatorId = await instance.account(undefined, true)
  // The tests advance the clock by days. They start on the first of a month, so that those days are in one month.
  const now = new Date(instance.ports.now())
  instance.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime())
})
afterAll(() => instance.close())

type Workspace = Awaited<ReturnType<Instance['workspace']>>

/** A request is counted in the turn of the event loop after its response. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve))
async function readUsage(workspace: Workspace, query: Record<string, string> = {}) {
  await nextTick()
  return instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`, {
    session: await instance.session(workspace.ownerId),
  })
}
async function requestOnce(workspace: Workspace, key = workspace.key): Promise<number> {
  const { status } = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { key })
  await nextTick()
  return status
}
const day = (timestamp: number) => new Date(timestamp).toISOString().slice(0, 10)

describe('usage', () => {
  test('is grouped by day, newest first, and includes rejected requests and counts that are not written yet', async () => {
    const workspace = await instance.workspace()
    const keyWithoutPermissions = await instance.key(workspace.id, [])
    const first = instance.ports.now()
    await requestOnce(workspace)
    await requestOnce(workspace)
    instance.clock.advance(DAY)
    await requestOnce(workspace)
    expect(await requestOnce(workspace, keyWithoutPermissions)).toBe(403)
    const { status, body } = await readUsage(workspace)
    expect(status).toBe(200)
    expect(body).toEqual({
      usage: [
        { group: day(first + DAY), name: null, kind: null, calls: '2', refused: '1', failed: '0' },
        { group: day(first), name: null, kind: null, calls: '2', refused: '0', failed: '0' },
      ],
      total: '4',
      month: { calls: '4', quota: null },
      storage: {
        bytes: expect.stringMatching(/^\d{3,}$/),
        limit: null,
        records: body.storage.bytes,
        images: '0',
        evidence: '0',
        archives: '0',
        responses: '0',
      },
    })
  })

  test('is grouped by endpoint, or by actor with their name, most requests first', async () => {
    const workspace = await instance.workspace()
    const member = await instance.member(workspace.id, ['departments.view'])
    await requestOnce(workspace)
    await requestOnce(workspace)
    await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session: member.session })
    const byActor = (await readUsage(workspace, { by: 'actor' })).body
    expect(byActor.usage).toEqual([
      {
        group: expect.any(String),
        name: expect.stringMatching(/^key /),
        kind: 'api_key',
        calls: '2',
        refused: '0',
        failed: '0',
      },
      {
        group: member.accountId,
        name: expect.stringMatching(/^account /),
        kind: 'account',
        calls: '1',
        refused: '0',
        failed: '0',
      },
    ])
    const byEndpoint = (await readUsage(workspace, { by: 'endpoint' })).body
    expect(byEndpoint.usage).toEqual([
      { group: 'departments', name: null, kind: null, calls: '3', refused: '0', failed: '0' },
      { group: 'portal', name: null, kind: null, calls: '1', refused: '0', failed: '0' },
    ])
  })

  test('counts a write once, and no request with a foreign or invalid key', async () => {
    const [workspace, stranger] = [await instance.workspace(), await instance.workspace()]
    await instance.request('POST', '/api/departments', {
      key: workspace.key,
      body: { workspaceId: workspace.id, name: 'Counted' },
    })
    expect(await requestOnce(workspace, stranger.key)).toBe(403)
    expect(await requestOnce(workspace, 'rve_junk')).toBe(401)
    expect((await readUsage(workspace)).body.total).toBe('1')
  })

  test('contains every hour that overlaps the time range', async () => {
    const workspace = await instance.workspace()
    const first = instance.ports.now()
    await requestOnce(workspace)
    instance.clock.advance(HOUR)
    await requestOnce(workspace)
    const calls = async (from: number, to: number) => {
      const { body } = await readUsage(workspace, {
        from: String(from),
        to: new Date(to).toISOString(),
        by: 'endpoint',
      })
      return body.usage.find(({ group }: { group: string }) => group === 'departments')?.calls
    }
    expect(await calls(first, first + HOUR)).toBe('1')
    expect(await calls(first, first + HOUR + 1)).toBe('2')
    expect(await calls(first + 1, first + HOUR + 1)).toBe('2')
    expect(await calls(first + HOUR, first + DAY)).toBe('1')
    expect(await calls(first - DAY, first)).toBeUndefined()
    expect(await calls(first, first)).toBeUndefined()
  })

  test('covers the last 30 days by default', async () => {
    const workspace = await instance.workspace()
    await requestOnce(workspace)
    instance.clock.advance(31 * DAY)
    expect((await readUsage(workspace)).body.usage).toEqual([])
    const from = String(instance.ports.now() - 40 * DAY)
    expect((await readUsage(workspace, { from })).body.usage).toHaveLength(2)
  })

  test('contains nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await requestOnce(other)
    expect((await readUsage(workspace)).body).toMatchObject({ usage: [], total: '0', month: { calls: '0' } })
  })

  test('rejects a time range that ends before it starts, and an unknown grouping', async () => {
    const workspace = await instance.workspace()
    const invalidRange = await readUsage(workspace, { from: '200000000000', to: '100000000000' })
    expect([invalidRange.status, invalidRange.body.details[0].field]).toEqual([400, 'to'])
    const invalidGrouping = await readUsage(workspace, { by: 'week' })
    expect([invalidGrouping.status, invalidGrouping.body.details[0].field]).toEqual([400, 'by'])
    const emptyRange = await readUsage(workspace, { to: '1970-01-01T00:00:00Z' })
    expect([emptyRange.status, emptyRange.body.total]).toEqual([200, '0'])
  })

  test('requires usage.view', async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'usage.view',
    })
  })
})

describe('the quota of a workspace', () => {
  const quotas = '/admin/api/quotas'
  /** The clock advances beyond the lifetime of a session, so each request uses a new one. */
  const send = async (body: object) =>
    instance.request('POST', quotas, { session: await instance.session(operatorId), body })
  const set = (workspaceId: string, monthlyQuota: unknown) => send({ workspaceId, monthlyQuota })
  const write = (workspace: Workspace, name: string) =>
    instance.request('POST', '/api/departments', {
      key: workspace.key,
      body: { workspaceId: workspace.id, name },
    })

  test('applies from the next request, does not limit reads, and is shown with the usage', async () => {
    const workspace = await instance.workspace()
    expect((await write(workspace, 'A')).status).toBe(200)
    const { status, body } = await set(workspace.id, 2)
    expect([status, body]).toEqual([
      200,
      { quota: { workspaceId: workspace.id, monthlyQuota: '2', storageQuota: null } },
    ])
    expect((await write(workspace, 'B')).status).toBe(200)
    const rejectedResponse = await write(workspace, 'C')
    expect([rejectedResponse.status, rejectedResponse.body.code]).toEqual([429, 'quota_exceeded'])
    expect(Number(rejectedResponse.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await requestOnce(workspace)).toBe(200)
    expect((await readUsage(workspace)).body.month).toEqual({ calls: '3', quota: '2' })
  })

  test('is removed by null; 0 rejects every write', async () => {
    const workspace = await instance.workspace()
    await set(workspace.id, '0')
    expect((await write(workspace, 'A')).status).toBe(429)
    expect((await set(workspace.id, null)).body.quota.monthlyQuota).toBeNull()
    expect((await write(workspace, 'A')).status).toBe(200)
  })

  test('starts over every month', async () => {
    const workspace = await instance.workspace()
    await set(workspace.id, 1)
    await write(workspace, 'A')
    expect((await write(workspace, 'B')).status).toBe(429)
    const now = new Date(instance.ports.now())
    instance.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime())
    expect((await write(workspace, 'B')).status).toBe(200)
  })

  test("is recorded in the workspace's own audit log", async () => {
    const workspace = await instance.workspace()
    await set(workspace.id, 7)
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${workspace.id}&limit=1`, {
      session: workspace.ownerSession,
    })
    expect(body.entries[0]).toMatchObject({
      action: 'quotas.set',
      changes: { before: { monthlyQuota: null }, after: { monthlyQuota: '7' } },
    })
  })

  test('is rejected if it is missing or not a whole number, or if the workspace is unknown', async () => {
    const workspace = await instance.workspace()
    const readWorkspaceRows = async () => (await readStoredRows(instance)).workspace
    const before = await readWorkspaceRows()
    for (const invalidQuota of ['-1', '1.5', 'none', '', '1e9', '9'.repeat(16)]) {
      const { status, body } = await set(workspace.id, invalidQuota)
      expect([status, body.details?.[0].field]).toEqual([400, 'monthlyQuota'])
    }
    const missingResponse = await send({})
    expect(missingResponse.body.details).toEqual([{ field: 'workspaceId', message: 'is required' }])
    expect((await send({ workspaceId: workspace.id })).body.error).toContain('monthlyQuota, storageQuota')
    expect((await set('0198c0de-dead-7000-8000-00000000dead', 5)).status).toBe(404)
    expect(await readWorkspaceRows()).toEqual(before)
  })

  test('can only be set by operators', async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'POST',
      path: quotas,
      who: 'operator',
      workspace: 'none',
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, monthlyQuota: '100' },
      permission: null,
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})
