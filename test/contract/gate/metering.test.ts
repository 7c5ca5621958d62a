import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createDepartment, readDepartments, runTimes, type WorkspaceFixture } from './requests.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const HOUR = 3_600_000

describe('metering', () => {
  const usageOf = statement<{ workspaceId: string }>()((sql, p) =>
    sql.selectFrom('usage').selectAll().where('workspace_id', '=', p.workspaceId),
  )
  /** What is written, as `endpoint class: calls`. */
  async function readUsage(workspace: WorkspaceFixture): Promise<Record<string, number>> {
    const countsByEndpoint: Record<string, number> = {}
    for (const row of await instance.db.read.all(usageOf, { workspaceId: workspace.id })) {
      const name = `${row.endpoint} ${row.status_class}`
      countsByEndpoint[name] = (countsByEndpoint[name] ?? 0) + row.calls
    }
    return countsByEndpoint
  }

  test('a write is counted in the transaction of its effect, a read with the next flush', async () => {
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

  test('every call of someone who belongs there counts once, whatever becomes of it', async () => {
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
    await instance.request('GET', `/api/public/v1/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    await instance.request('GET', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    await instance.flush()
    expect(await readUsage(workspace)).toEqual({ 'departments 2': 5, 'departments 4': 3, 'portal 2': 1 })
  })

  test('calls are kept apart by hour and by actor', async () => {
    const workspace = await instance.workspace()
    await readDepartments(instance, workspace)
    await readDepartments(instance, workspace, { session: workspace.ownerSession })
    await instance.flush()
    instance.clock.advance(HOUR)
    await readDepartments(instance, workspace)
    await instance.flush()
    const rows = await instance.db.read.all(usageOf, { workspaceId: workspace.id })
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ hour }) => hour)).size).toBe(2)
    expect(rows.filter(({ actor_id }) => actor_id === workspace.ownerId)).toHaveLength(1)
    for (const { hour } of rows) expect(hour % HOUR).toBe(0)
  })

  test('strangers cost a workspace nothing', async () => {
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

  test('many at once are all counted', async () => {
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
