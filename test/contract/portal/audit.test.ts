import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/audit'

interface AuditEntry {
  readonly sequence: string
  readonly action: string
  readonly actorId: string
  readonly targetId: string
}

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const read = (query: Record<string, string> = {}, auditWorkspace = workspace) =>
  instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: auditWorkspace.id, ...query })}`, {
    session: auditWorkspace.ownerSession,
  })
const createDepartment = async (
  name: string,
  auditWorkspace = workspace,
  credentials: object = { key: auditWorkspace.key },
) =>
  (
    await instance.request('POST', '/api/departments', {
      ...credentials,
      body: { workspaceId: auditWorkspace.id, name },
    })
  ).body.department.id as string

/** Every entry of a search, page by page. */
async function readAllPages(
  query: Record<string, string>,
  auditWorkspace = workspace,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await read(cursor ? { ...query, cursor } : query, auditWorkspace)
    entries.push(...body.entries)
    cursor = body.nextCursor
  }
  return entries
}

describe('the audit log', () => {
  test('records the actor, action, target, values before and after, IP address and request id', async () => {
    const departmentResponse = await instance.request('POST', '/api/departments', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, name: 'Logged' },
      headers: { 'x-request-id': 'mine-1' },
      from: '198.51.100.7',
    })
    const { department: record } = departmentResponse.body
    const { status, body } = await read({ limit: '1' })
    expect(status).toBe(200)
    expect(body.entries).toEqual([
      {
        id: expect.any(String),
        sequence: expect.stringMatching(/^\d+$/),
        at: new Date(instance.ports.now()).toISOString(),
        actorKind: 'account',
        actorId: workspace.ownerId,
        actorName: expect.any(String),
        action: 'departments.create',
        targetKind: 'department',
        targetId: record.id,
        changes: { before: null, after: { name: 'Logged' } },
        address: '198.51.100.7',
        requestId: 'mine-1',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  test('is newest first, in pages that contain every entry once, even while entries are added', async () => {
    const busyWorkspace = await instance.workspace()
    for (let index = 0; index < 7; index++) await createDepartment(`D${index}`, busyWorkspace)
    const allEntries = await readAllPages({}, busyWorkspace)
    const sequences = allEntries.map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual([...sequences].sort((one, other) => other - one))
    const first = (await read({ limit: '3' }, busyWorkspace)).body
    await createDepartment('Later', busyWorkspace)
    const second = (await read({ limit: '200', cursor: first.nextCursor }, busyWorkspace)).body
    expect([...first.entries, ...second.entries]).toEqual(allEntries)
    expect(second.nextCursor).toBeNull()
  })

  test('can be filtered by actor, action, target and time, alone and combined', async () => {
    const one = await instance.workspace()
    const member = await instance.member(one.id, ['departments.manage'])
    await createDepartment('By key', one)
    instance.clock.advance(60_000)
    const since = instance.ports.now()
    const id = await createDepartment('By member', one, { session: member.session })
    await instance.request('PATCH', '/api/departments', {
      key: one.key,
      body: { workspaceId: one.id, id, name: 'Renamed' },
    })
    instance.clock.advance(60_000)
    const actions = async (query: Record<string, string>) =>
      (await readAllPages(query, one)).map(({ action }) => action)
    expect(await actions({ actorId: member.accountId })).toEqual(['departments.create'])
    expect(await actions({ action: 'departments.update' })).toEqual(['departments.update'])
    expect(await actions({ targetId: id })).toEqual(['departments.update', 'departments.create'])
    expect(await actions({ targetId: id, actorId: member.accountId })).toEqual(['departments.create'])
    const from = String(since)
    expect(await actions({ from })).toEqual(['departments.update', 'departments.create'])
    expect(await actions({ from, to: from })).toEqual([])
    expect((await actions({ to: new Date(since).toISOString() }))[0]).toBe('departments.create')
    expect(await actions({ to: from, targetId: id })).toEqual([])
    expect(await actions({ action: "' or 1=1 --" })).toEqual([])
  })

  test('shows redacted changes as null, and keeps the entry', async () => {
    const id = await createDepartment('Redacted')
    await instance.db.write((tx) => tx.run(redactChanges, { workspaceId: workspace.id, targetId: id }))
    const { body } = await read({ targetId: id })
    expect(body.entries).toHaveLength(1)
    expect(body.entries[0]).toMatchObject({ action: 'departments.create', changes: null })
  })

  test('never contains entries of another workspace, whatever the filter or cursor', async () => {
    const other = await instance.workspace()
    const id = await createDepartment('Foreign', other)
    expect(await readAllPages({ targetId: id })).toEqual([])
    expect(await readAllPages({ actorId: other.ownerId })).toEqual([])
    const cursor = (await read({ limit: '1' }, other)).body.nextCursor
    const { body } = await read({ cursor })
    for (const entry of body.entries) expect(entry.targetId).not.toBe(id)
  })

  test('is searched in steps if it is long: pages may be empty, but no entry is missed', async () => {
    const longWorkspace = await instance.workspace()
    const needleDepartment = await createDepartment('Needle', longWorkspace)
    const [needleEntry] = (await readAllPages({ targetId: needleDepartment }, longWorkspace)) as [AuditEntry]
    await advanceAuditSequence(instance, longWorkspace.id, 50_000)
    await createDepartment('Recent', longWorkspace)
    const first = (await read({ action: 'departments.create', to: '100000000000' }, longWorkspace)).body
    expect(first.entries).toEqual([])
    expect(first.nextCursor).not.toBeNull()
    const filteredEntries = await readAllPages(
      { actorId: needleEntry.actorId, action: 'departments.create' },
      longWorkspace,
    )
    expect(filteredEntries.map(({ targetId }) => targetId)).toContain(needleDepartment)
    expect(filteredEntries).toHaveLength(2)
  })

  test('rejects an invalid cursor, an invalid time and an unknown parameter', async () => {
    for (const [field, query] of [
      ['cursor', { cursor: 'AAAA' }],
      ['from', { from: 'yesterday' }],
      ['actorID', { actorID: 'x' }],
    ] as const) {
      const { status, body } = await read(query as Record<string, string>)
      expect([status, body.details[0].field]).toEqual([400, field])
    }
  })

  test('cannot be changed with any method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await instance.request(method, `${path}?workspaceId=${workspace.id}`, {
        session: workspace.ownerSession,
      })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('requires audit.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: 'audit.view',
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})

const redactChanges = statement<{ workspaceId: string; targetId: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ changes: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId),
)
