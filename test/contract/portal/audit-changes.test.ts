import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { idOrTextLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

let instance: Instance
let workspace: Workspace
let requests: ReturnType<typeof createWorkspaceRequests>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  requests = createWorkspaceRequests(instance, workspace)
})
afterAll(() => instance.close())

/** The content of the newest entry about a resource. */
async function readChanges(targetId: string) {
  const query = new URLSearchParams({ workspaceId: workspace.id, targetId, limit: '1' })
  const { body } = await instance.request('GET', `/portal/api/audit?${query}`, {
    session: workspace.ownerSession,
  })
  return body.entries[0].changes
}

/** The length of what the newest entry about a resource stores. */
async function measureStored(targetId: string): Promise<number> {
  const [row] = await instance.storage.query<{ bytes: number }>(
    `select octet_length(changes) as bytes from audit where target_id = ${idOrTextLiteral(targetId)} order by sequence desc limit 1`,
  )
  return Number(row?.bytes)
}

describe('an entry of the audit log contains', () => {
  test('of a new resource the fields that are set, without those that the entry has itself', async () => {
    const { id } = await requests.moderate({ action: 'warn', userId: '261', reason: 'Spamming' })
    expect(await readChanges(id)).toEqual({
      before: null,
      after: {
        caseNumber: '1',
        action: 'warn',
        userId: '261',
        reason: 'Spamming',
        severity: 'low',
        status: 'active',
      },
    })
    expect(await measureStored(id)).toBeLessThan(200)
  })

  test('of a change the fields that differ, with cleared ones as null, and the name of the resource', async () => {
    const { id } = await requests.writeDepartment({ name: 'Builders', description: 'Build maps' })
    await requests.writeDepartment({ id, color: '#ff0000', description: null }, 'PATCH')
    expect(await readChanges(id)).toEqual({
      before: { name: 'Builders', description: 'Build maps', color: null },
      after: { name: 'Builders', description: null, color: '#ff0000' },
    })
    await requests.writeDepartment({ id, name: 'Architects' }, 'PATCH')
    expect(await readChanges(id)).toEqual({ before: { name: 'Builders' }, after: { name: 'Architects' } })
  })

  test('of a deleted resource the fields that were set', async () => {
    const scheduledFor = new Date(instance.ports.now() + 3_600_000).toISOString()
    const { id } = await requests.writeEvent({ title: 'Training', scheduledFor })
    await requests.deleteEvent(id)
    const { before, after } = await readChanges(id)
    expect(after).toBeNull()
    expect(before).toMatchObject({ title: 'Training', scheduledFor, published: 'false' })
    expect(Object.values(before)).not.toContain(null)
  })

  test('of a list that grew only the new items, and how many others there are', async () => {
    const { id } = await requests.moderate({ action: 'warn', userId: '9', reason: 'x' })
    for (let index = 0; index < 8; index++) {
      await requests.moderate({ action: 'comment', id, value: `${index}${'x'.repeat(1900)}` })
    }
    await requests.moderate({ action: 'comment', id, value: 'The last one' })
    const { before, after, unchangedItems } = await readChanges(id)
    expect(before.comments).toEqual([])
    expect(after.comments).toEqual([expect.objectContaining({ text: 'The last one' })])
    expect(unchangedItems).toEqual({ comments: '8' })
    expect(await measureStored(id)).toBeLessThan(500)
  })

  test('of a list with a replaced item in the middle that item before and after', async () => {
    const { id } = await requests.moderate({ action: 'note', userId: '9', reason: 'x', evidence: 'a\nb\nc' })
    await requests.moderate({ action: 'edit', id, evidence: 'a\nB\nc' })
    expect(await readChanges(id)).toMatchObject({
      before: { evidence: ['b'] },
      after: { evidence: ['B'] },
      unchangedItems: { evidence: '2' },
    })
  })
})
