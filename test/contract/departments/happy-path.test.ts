import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/departments'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const createWorkspace = async () => {
  workspace = await instance.workspace()
}
const readDepartments = (query: Record<string, string> = {}) =>
  instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`, {
    key: workspace.key,
  })
const write = (method: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  instance.request(method, `${path}?workspaceId=${workspace.id}`, { key: workspace.key, body, headers })
const create = async (name: string, more: Record<string, unknown> = {}) =>
  (await write('POST', { name, ...more })).body.department
const names = async (query: Record<string, string> = {}) =>
  (await readDepartments(query)).body.departments.map((one: { name: string }) => one.name)

describe('creating', () => {
  test('returns the whole department, every field a string or null', async () => {
    await createWorkspace()
    const { status, body } = await write('POST', {
      name: '  Public relations ',
      color: '#ABC',
      description: 'Answers\nthe community.',
      action: 'create',
    })
    expect(status).toBe(200)
    const now = new Date(instance.clock.now()).toISOString()
    expect(body).toEqual({
      department: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        workspaceId: workspace.id,
        name: 'Public relations',
        color: '#aabbcc',
        description: 'Answers\nthe community.',
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
        version: '1',
      },
    })
    expect((await readDepartments({ id: body.department.id })).body).toEqual(body)
  })

  test('requires only a name', async () => {
    await createWorkspace()
    expect(await create('Staff')).toMatchObject({ name: 'Staff', color: null, description: null })
  })

  test('accepts the workspace in body or query, and a number as its string', async () => {
    await createWorkspace()
    const { body } = await instance.request('POST', path, {
      key: workspace.key,
      body: { workspaceId: workspace.id, name: 42 },
    })
    expect(body.department.name).toBe('42')
  })

  test('stores names in any script, in composed form', async () => {
    await createWorkspace()
    expect((await create('Cafe\u0301 🎮 日本')).name).toBe('Café 🎮 日本')
  })

  test('a hundred times concurrently with one name succeeds once', async () => {
    await createWorkspace()
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => write('POST', { name: 'Only one' })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(99)
    expect(await names()).toEqual(['Only one'])
  })
})

describe('updating', () => {
  for (const method of ['POST', 'PATCH']) {
    test(`with ${method} changes the fields sent, clears those that are null and leaves the rest`, async () => {
      await createWorkspace()
      const created = await create('Events', { color: '#123456', description: 'Plans.' })
      instance.clock.advance(1000)
      const { status, body } = await write(method, { id: created.id, action: 'update', color: null })
      expect(status).toBe(200)
      expect(body.department).toEqual({
        ...created,
        color: null,
        updatedAt: new Date(instance.clock.now()).toISOString(),
        version: '2',
      })
    })
  }

  test('is the default action of PATCH', async () => {
    await createWorkspace()
    const created = await create('Before')
    expect((await write('PATCH', { id: created.id, name: 'After' })).body.department.name).toBe('After')
  })

  test("may change the case of the department's own name", async () => {
    await createWorkspace()
    const created = await create('builders')
    expect((await write('PATCH', { id: created.id, name: 'Builders' })).body.department.name).toBe('Builders')
  })

  test('succeeds under If-Match with the current version, quoted or in a list', async () => {
    await createWorkspace()
    const created = await create('Versioned')
    expect((await write('PATCH', { id: created.id, color: '#111111' }, { 'if-match': '"1"' })).status).toBe(
      200,
    )
    expect(
      (await write('PATCH', { id: created.id, color: '#222222' }, { 'if-match': '"1", "2"' })).status,
    ).toBe(200)
    expect((await write('PATCH', { id: created.id, color: '#333333' }, { 'if-match': '*' })).status).toBe(200)
  })
})

describe('deleting and restoring', () => {
  test('hides the department, keeps its row, and frees its name', async () => {
    await createWorkspace()
    const created = await create('Reused')
    const deleted = await instance.request('DELETE', `${path}?workspaceId=${workspace.id}&id=${created.id}`, {
      key: workspace.key,
    })
    expect(deleted.status).toBe(200)
    expect(deleted.body.department.deletedAt).not.toBeNull()
    expect(await names()).toEqual([])
    expect(await names({ deleted: 'true' })).toEqual(['Reused'])
    expect((await readDepartments({ id: created.id })).status).toBe(404)
    expect((await readDepartments({ id: created.id, deleted: 'true' })).body.department.id).toBe(created.id)
    expect((await create('reused')).id).not.toBe(created.id)
  })

  for (const method of ['POST', 'PATCH']) {
    test(`with ${method} is undone by restore`, async () => {
      await createWorkspace()
      const created = await create('Phoenix')
      expect((await write(method, { id: created.id, action: 'delete' })).status).toBe(200)
      const { body } = await write(method, { id: created.id, action: 'restore' })
      expect(body.department).toMatchObject({ id: created.id, deletedAt: null, version: '3' })
      expect(await names()).toEqual(['Phoenix'])
    })
  }
})

describe('listing', () => {
  test('is ordered by name, ignoring case, with each department once across pages', async () => {
    await createWorkspace()
    const all = ['alpha', 'Bravo', 'charlie', 'Delta', 'echo']
    for (const name of all.toReversed()) await create(name)
    const seenIds: string[] = []
    let cursor: string | null = null
    do {
      const page = await readDepartments({ limit: '2', ...(cursor === null ? {} : { cursor }) })
      seenIds.push(...page.body.departments.map((one: { name: string }) => one.name))
      cursor = page.body.nextCursor
    } while (cursor !== null)
    expect(seenIds).toEqual(all)
  })

  test('is stable when departments are added or deleted between pages', async () => {
    await createWorkspace()
    for (const name of ['b', 'd', 'f']) await create(name)
    const first = await readDepartments({ limit: '2' })
    await create('a')
    await create('e')
    const second = await readDepartments({ limit: '2', cursor: first.body.nextCursor })
    expect(second.body.departments.map((one: { name: string }) => one.name)).toEqual(['e', 'f'])
  })

  test('is the same under the legacy prefix, and for HEAD without the body', async () => {
    await createWorkspace()
    await create('Both')
    const current = await readDepartments()
    const credentials = { key: workspace.key }
    const legacy = await instance.request(
      'GET',
      `${LEGACY_PREFIX}/departments?workspaceId=${workspace.id}`,
      credentials,
    )
    expect(legacy.text).toBe(current.text)
    const head = await instance.request('HEAD', `${path}?workspaceId=${workspace.id}`, credentials)
    expect([head.status, head.text]).toEqual([200, ''])
  })
})

describe('an Idempotency-Key', () => {
  test('returns the first response again and creates one department', async () => {
    await createWorkspace()
    const headers = { 'idempotency-key': 'once' }
    const first = await write('POST', { name: 'Once' }, headers)
    const replayed = await write('POST', { name: 'Once' }, headers)
    expect(replayed.text).toBe(first.text)
    expect([first.headers.get('idempotent-replayed'), replayed.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(await names()).toEqual(['Once'])
  })

  test('is shared by both prefixes', async () => {
    await createWorkspace()
    const options = { key: workspace.key, body: { name: 'Once' }, headers: { 'idempotency-key': 'both' } }
    const search = `departments?workspaceId=${workspace.id}`
    const first = await instance.request('POST', `/api/${search}`, options)
    const replayed = await instance.request('POST', `${LEGACY_PREFIX}/${search}`, options)
    expect([replayed.status, replayed.text]).toEqual([200, first.text])
  })

  test('of an error returns the error again', async () => {
    await createWorkspace()
    await create('Taken')
    const headers = { 'idempotency-key': 'refused' }
    const first = await write('POST', { name: 'Taken' }, headers)
    const replayed = await write('POST', { name: 'Taken' }, headers)
    expect([replayed.status, replayed.text]).toEqual([409, first.text])
  })
})

test('every change is in the audit log, in one unbroken chain', async () => {
  await createWorkspace()
  const created = await create('Logged')
  await write('PATCH', { id: created.id, name: 'Renamed' })
  await write('PATCH', { id: created.id, action: 'delete' })
  await write('PATCH', { id: created.id, action: 'restore' })
  const rows = ((await readStoredRows(instance)).audit ?? [])
    .map((row) => JSON.parse(row))
    .filter((row) => row.workspace_id === workspace.id && row.target_kind === 'department')
    .sort((one, other) => one.sequence - other.sequence)
  expect(rows.map((row) => `${row.action} ${row.target_id}`)).toEqual([
    `departments.create ${created.id}`,
    `departments.update ${created.id}`,
    `departments.delete ${created.id}`,
    `departments.restore ${created.id}`,
  ])
  expect(new Set(rows.map((row) => row.actor_kind))).toEqual(new Set(['api_key']))
  expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
})
