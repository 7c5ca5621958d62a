import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { insertRecordCopies } from '../../support/record-copies.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace, and the actions of the log entries that match a search. */
async function openLog() {
  const workspace = await instance.workspace()
  const { moderate } = createWorkspaceRequests(instance, workspace)
  const read = async (query: Record<string, string>) => {
    const parameters = new URLSearchParams({ workspaceId: workspace.id, ...query })
    return instance.request('GET', `/portal/api/audit?${parameters}`, { session: workspace.ownerSession })
  }
  const listActions = async (query: Record<string, string>) =>
    (await read(query)).body.entries.map(({ action }: { action: string }) => action)
  return { workspace, moderate, read, listActions }
}

describe('the audit log', () => {
  test('is filtered by case number, by player and by several of them', async () => {
    const { moderate, listActions } = await openLog()
    await moderate({ action: 'ban', userId: '261', reason: 'x' })
    await moderate({ action: 'unban', userId: '261' })
    await moderate({ action: 'warn', userId: '261', reason: 'x' })
    const { id } = await moderate({ action: 'kick', userId: '2', reason: 'x' })
    await moderate({ action: 'note', userId: '3', reason: 'x' })
    expect(await listActions({ caseNumber: '1' })).toEqual(['moderation.unban', 'moderation.ban'])
    expect(await listActions({ userId: '261' })).toEqual([
      'moderation.warn',
      'moderation.unban',
      'moderation.ban',
    ])
    expect(await listActions({ caseNumber: '2', targetId: id, userId: '3' })).toEqual([
      'moderation.note',
      'moderation.kick',
      'moderation.warn',
    ])
    expect(await listActions({ userId: '261', action: 'moderation.warn' })).toEqual(['moderation.warn'])
    expect(await listActions({ caseNumber: '99' })).toEqual([])
    expect(await listActions({ userId: 'nobody' })).toEqual([])
  })

  test('finds the entries of a player with thousands of cases', async () => {
    const { moderate, listActions } = await openLog()
    await moderate({ action: 'kick', userId: '2', reason: 'x' })
    const { id } = await moderate({ action: 'note', userId: '261', reason: 'x' })
    await insertRecordCopies(instance, id, 2500)
    expect(await listActions({ userId: '261' })).toEqual(['moderation.note'])
    expect(await listActions({ userId: '261', caseNumber: '1' })).toEqual([
      'moderation.note',
      'moderation.kick',
    ])
  })

  test('never contains the cases or players of another workspace', async () => {
    const { moderate } = await openLog()
    const { listActions } = await openLog()
    await moderate({ action: 'note', userId: '261', reason: 'x' })
    expect(await listActions({ userId: '261' })).toEqual([])
    expect(await listActions({ caseNumber: '1' })).toEqual([])
  })

  test('rejects an invalid case number or player', async () => {
    const { read } = await openLog()
    for (const query of [{ caseNumber: '#1' }, { userId: 'two words' }] as Record<string, string>[]) {
      const { status, body } = await read(query)
      expect([status, body.details[0].field]).toEqual([400, Object.keys(query)[0]])
    }
  })
})
