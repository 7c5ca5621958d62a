import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Home, read, times, write } from './calls.ts'

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
  async function written(home: Home): Promise<Record<string, number>> {
    const sums: Record<string, number> = {}
    for (const row of await instance.db.read.all(usageOf, { workspaceId: home.id })) {
      const name = `${row.endpoint} ${row.status_class}`
      sums[name] = (sums[name] ?? 0) + row.calls
    }
    return sums
  }

  test('a write is counted in the transaction of its effect, a read with the next flush', async () => {
    const home = await instance.workspace()
    await write(instance, home)
    expect(await written(home)).toEqual({ 'departments 2': 1 })
    await read(instance, home)
    expect(await written(home)).toEqual({ 'departments 2': 1 })
    await instance.flush()
    expect(await written(home)).toEqual({ 'departments 2': 2 })
    await instance.flush()
    expect(await written(home)).toEqual({ 'departments 2': 2 })
  })

  test('every call of someone who belongs there counts once, whatever becomes of it', async () => {
    const home = await instance.workspace()
    const lacking = await instance.key(home.id, [])
    const headers = { 'idempotency-key': 'a' }
    const body = { name: 'metered' }
    await read(instance, home)
    await instance.call('HEAD', `/api/departments?workspaceId=${home.id}`, { key: home.key })
    await read(instance, home, { key: lacking })
    await write(instance, home, { body, headers })
    await write(instance, home, { body, headers })
    await write(instance, home, { body })
    await write(instance, home, { body: { name: 7.5 } })
    await instance.call('GET', `/api/public/v1/departments?workspaceId=${home.id}`, { key: home.key })
    await instance.call('GET', `/portal/api/api-keys?workspaceId=${home.id}`, { session: home.ownerSession })
    await instance.flush()
    expect(await written(home)).toEqual({ 'departments 2': 5, 'departments 4': 3, 'portal 2': 1 })
  })

  test('calls are kept apart by hour and by actor', async () => {
    const home = await instance.workspace()
    await read(instance, home)
    await read(instance, home, { session: home.ownerSession })
    await instance.flush()
    instance.clock.advance(HOUR)
    await read(instance, home)
    await instance.flush()
    const rows = await instance.db.read.all(usageOf, { workspaceId: home.id })
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ hour }) => hour)).size).toBe(2)
    expect(rows.filter(({ actor_id }) => actor_id === home.ownerId)).toHaveLength(1)
    for (const { hour } of rows) expect(hour % HOUR).toBe(0)
  })

  test('strangers cost a workspace nothing', async () => {
    const [home, other] = [await instance.workspace(), await instance.workspace()]
    await read(instance, home, {})
    await read(instance, home, { key: 'junk' })
    await read(instance, home, { key: other.key })
    await read(instance, home, { session: other.ownerSession })
    await write(instance, home, { key: other.key })
    await instance.flush()
    expect(await written(home)).toEqual({})
    expect(await written(other)).toEqual({})
  })

  test('many at once are all counted', async () => {
    const home = await instance.workspace()
    await Promise.all([
      times(50, () => read(instance, home)),
      times(50, () => write(instance, home)),
      instance.flush(),
    ])
    await instance.flush()
    expect(await written(home)).toEqual({ 'departments 2': 100 })
  })
})
