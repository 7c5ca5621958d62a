import { afterAll, beforeAll, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import type { Queries } from '@reeve/db'
import { idLiteral } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { archiveWorkspace, createWorkspaceRequests, type Workspace } from './workspaces/fixture.ts'
import { readEverything } from './workspaces/read-everything.ts'

/** Twice as much as one batch may read. */
const READ_LIMIT = 8 * 1024 * 1024

let instance: Instance
let workspace: Workspace
let requests: ReturnType<typeof createWorkspaceRequests>
/** A record of 64,000 bytes with so many versions that their texts exceed a batch several times. */
let largeRecord: { readonly id: string }

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createWorkspaceRequests(instance, workspace)
  largeRecord = await requests.moderate({ action: 'warn', userId: '1', reason: 'x' })
  const { id } = largeRecord
  await Promise.all(
    Array.from({ length: 160 }, (_, index) => {
      const lines = Array.from({ length: 8 }, () => `${index}${'😀'.repeat(1990)}${index}`)
      return requests.moderate({ action: 'edit', id, evidence: lines.join('\n') })
    }),
  )
}, 60_000)
afterAll(() => instance.close())

test('verifying the audit log reads a limited number of bytes at a time, and every row', async () => {
  const reads: number[] = []
  const measured: Queries = {
    first: instance.db.read.first,
    async all(statement, params) {
      const rows = await instance.db.read.all(statement, params)
      reads.push(Buffer.byteLength(JSON.stringify(rows)))
      return rows
    },
  }
  const { rows, faults } = await verifyAudit(measured, instance.ports)
  expect(faults).toEqual([])
  const [stored] = await instance.storage.query<{ count: number }>('select count(*) as count from audit')
  expect(rows).toBe(Number(stored?.count))
  expect(reads.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(2 * READ_LIMIT)
  expect(Math.max(...reads)).toBeLessThan(READ_LIMIT)
})

test('an archive that is read in several batches contains every version', async () => {
  const before = await readEverything(instance, workspace.id, workspace)
  const { id: fromArchive } = await archiveWorkspace(instance, workspace)
  const { body } = await requests.workspaces({ fromArchive }, { session: workspace.ownerSession })
  const copy = { ...workspace, id: body.workspace.id }
  const after = await readEverything(instance, copy.id, copy)
  const isOfRecord = (path: string) => path.startsWith('/api/moderation')
  expect(Object.keys(after).filter(isOfRecord).length).toBeGreaterThan(50)
  for (const path of Object.keys(before).filter(isOfRecord)) expect(after[path]).toEqual(before[path])
}, 60_000)

test('a text is found in the comments of many large records, a limited number of which are examined per request', async () => {
  const other = await instance.workspace()
  const { moderate } = createWorkspaceRequests(instance, other)
  const { id } = await moderate({ action: 'warn', userId: '1', reason: 'x' })
  await moderate({ action: 'comment', id, value: 'The needle' })
  const ids = await Promise.all(
    Array.from({ length: 150 }, () => moderate({ action: 'warn', userId: '2', reason: 'x' })),
  )
  const comments = JSON.stringify(Array.from({ length: 32 }, () => ({ text: 'é'.repeat(1000) })))
  await instance.storage.query(
    `update record set comments = '${comments}', comment_count = 32 where workspace_id = ${idLiteral(other.id)} and user_id = '2'`,
  )
  expect(ids).toHaveLength(150)
  const search = async (cursor: string | null) => {
    const query = new URLSearchParams({ workspaceId: other.id, text: 'NEEDLE', ...(cursor && { cursor }) })
    return (await instance.request('GET', `/api/moderation?${query}`, { key: other.key })).body
  }
  const first = await search(null)
  expect(first.records).toEqual([])
  expect(Number(first.searchedToCase)).toBeWithin(2, 151)
  const second = await search(first.nextCursor)
  expect(second.records).toMatchObject([{ id, commentCount: '1' }])
  expect(second.nextCursor).toBeNull()
}, 60_000)
