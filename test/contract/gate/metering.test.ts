import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createDepartment, readDepartments, runTimes, type WorkspaceFixture } from './requests.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('metering', () => {
  const usageOf = statement<{ workspaceId: string }>()((sql, p) =>
    sql.selectFrom('usage').selectAll().where('workspace_id', '=', p.workspaceId),
  )
  /** The stored counts, by endpoint and status class. */
  async function readUsage(workspace: WorkspaceFixture): Promise<Record<string, number>> {
    const countsByEndpoint: Record<string, number> = {}
    for (const row of await instance.db.read.all(usageOf, { workspaceId: workspace.id })) {
      const name = `${row.endpoint} ${row.status_class}`
      countsByEndpoint[name] = (countsByEndpoint[name] ?? 0) + row.calls
    }
    return countsByEndpoint
  }

  test('counts a write in its transaction and a read with the next flush', async () => {
    const workspace = await instance.workspace()
    await createDepartment(instance, workspace)
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 1 })
    await readDepartments(instance, workspace)
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 1 })
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 2 })
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 2 })
  })

  test('counts every request of a caller of the workspace once, whatever its outcome', async () => {
    const workspace = await instance.workspace()
    const keyWithoutPermissions = await instance.key(workspace.id, [])
    const headers = { 'idempotency-key': 'a' }
    const body = { name: 'metered' }
    await readDepartments(instance, workspace)
    await instance.request('HEAD', `/api/departments?workspaceId=${workspace.id}`, { key: workspace.key })
    await readDepartments(instance, workspace, { key: keyWithoutPermissions })
    await createDepartment(instance, workspace, { body, headers })
    await createDepartment(instance, workspace, { body, headers })
    await createDepartment(instance, workspace, { body })
    await createDepartment(instance, workspace, { body: { name: 7.5 } })
    await readDepartments(instance, workspace, { key: workspace.key, headers: { 'content-length': '2' } })
    await instance.request('GET', `/api/public/v1/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    await instance.request('GET', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 5, 'departments 4': 4, 'portal 2': 1 })
  })

  test('counts by hour and by actor', async () => {
    const workspace = await instance.workspace()
    await readDepartments(instance, workspace)
    await readDepartments(instance, workspace, { session: workspace.ownerSession })
    await instance.flush()
    instance.clock.advance(HOUR_MS)
    await readDepartments(instance, workspace)
    await instance.flush()
    const rows = await instance.db.read.all(usageOf, { workspaceId: workspace.id })
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ hour }) => hour)).size).toBe(2)
    expect(rows.filter(({ actor_id }) => actor_id === workspace.ownerId)).toHaveLength(1)
    for (const { hour } of rows) expect(hour % HOUR_MS).toBe(0)
  })

  test('does not count requests of callers outside the workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await readDepartments(instance, workspace, {})
    await readDepartments(instance, workspace, { key: 'junk' })
    await readDepartments(instance, workspace, { key: other.key })
    await readDepartments(instance, workspace, { session: other.ownerSession })
    await createDepartment(instance, workspace, { key: other.key })
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({})
    expect(await readUsage(other)).toEqual({})
  })

  test('counts every concurrent request', async () => {
    const workspace = await instance.workspace()
    await Promise.all([
      runTimes(50, () => readDepartments(instance, workspace)),
      runTimes(50, () => createDepartment(instance, workspace)),
      instance.flush(),
    ])
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 100 })
  })
})
