import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addPlayerName } from '@reeve/db'
import { usePostgres } from '../../support/engine.ts'
import { countTicks } from '../../support/event-loop.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { addNotes, listIds, searchPlayers } from './player-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('other requests run while a request searches a long audit log', async () => {
  const workspace = await instance.workspace()
  const { writeDepartment } = createWorkspaceRequests(instance, workspace)
  await writeDepartment({ name: 'Oldest' })
  await advanceAuditSequence(instance, workspace.id, 30_000)
  await writeDepartment({ name: 'Newest' })
  const search = (cursor: object = {}) => {
    const query = new URLSearchParams({ workspaceId: workspace.id, action: 'roles.update', ...cursor })
    return instance.request('GET', `/portal/api/audit?${query}`, { session: workspace.ownerSession })
  }
  const { result, ticks } = await countTicks(search)
  expect(result.body.entries).toEqual([])
  expect(ticks).toBeGreaterThan(19)
  const next = await search({ cursor: result.body.nextCursor })
  expect([next.status, next.body.nextCursor]).toEqual([200, null])
})

// On SQLite, where a search runs on the thread of all requests: 12,000 names of one player, and 100,000 that begin alike.
test.if(!usePostgres)(
  'other requests run while a request searches crafted names, and it compares a limited number of them',
  async () => {
    const workspace = await instance.workspace()
    await addNotes(instance, workspace, ['one', 'zzabcdezz'])
    await addNames(12_000, (index) => ['one', `a${index}`])
    await addNames(100_000, (index) => [String(index), `abcd bcde ${index}`])
    async function addNames(count: number, toName: (index: number) => readonly [string, string]) {
      for (let start = 0; start < count; start += 2000) {
        await instance.db.write(async (tx) => {
          for (let index = start; index < Math.min(count, start + 2000); index++) {
            const [userId, name] = toName(index)
            await addPlayerName(tx, { workspaceId: workspace.id, userId, name })
          }
        })
      }
    }
    const search = (q: string, more: object = {}) =>
      countTicks(() => searchPlayers(instance, workspace, { q, limit: '50', ...more }))

    // None of these names matches, though each has all parts of the text.
    const first = await search('abcde')
    expect([first.result.status, first.result.body.players]).toEqual([200, []])
    expect(first.result.body.nextCursor).toBeString()
    expect(first.ticks).toBeGreaterThan(9)
    const next = await search('abcde', { cursor: first.result.body.nextCursor })
    expect([next.result.status, next.result.body.nextCursor]).toEqual([200, expect.any(String)])

    for (const q of ['a', 'ab', 'abcd']) {
      const { result, ticks } = await search(q)
      expect([q, result.status, typeof result.body.nextCursor]).toEqual([q, 200, 'string'])
      expect(ticks).toBeGreaterThan(0)
    }
    const { result } = await search('a11999')
    expect(listIds(result.body.players)).toEqual(['one'])
  },
  120_000,
)

test('counting the contents of a workspace and listing the instance cost ten requests of the rate limit', async () => {
  const target = await openInstance({ sessionRatePerMinute: 120 })
  const { id, ownerSession } = await target.workspace()
  const operator = await target.account(undefined, true)
  for (const [path, session] of [
    [`/portal/api/content?workspaceId=${id}`, ownerSession],
    ['/admin/api/workspaces', await target.session(operator)],
    ['/admin/api/accounts', await target.session(operator)],
  ] as const) {
    const read = () => target.request('GET', path, { session })
    const statuses = [(await read()).status, (await read()).status]
    const rejected = await read()
    expect([path, statuses, rejected.status]).toEqual([path, [200, 200], 429])
    target.clock.advance(Number(rejected.headers.get('retry-after')) * 1000)
    expect((await read()).status).toBe(200)
  }
  await target.close()
})
