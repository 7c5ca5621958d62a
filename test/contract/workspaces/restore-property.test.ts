import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Instance, openInstance } from '../../support/instance.ts'
import { archiveWorkspace, createWorkspaceRequests, expectIntactAuditChain } from './fixture.ts'
import { readEverything } from './read-everything.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('after any sequence of changes, a copy and a roll-back return the same response to every read', async () => {
  const actions = [
    'note',
    'warn',
    'mute',
    'ban',
    'unban',
    'unmute',
    'edit',
    'comment',
    'revoke',
    'extend',
    'redact',
  ]
  const steps = fc.array(
    fc.record({
      action: fc.constantFrom(...actions),
      userId: fc.constantFrom('1', '2', '3'),
      pick: fc.nat(30),
      text: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      durationSeconds: fc.constantFrom('60', '3600', 'permanent'),
    }),
    { minLength: 10, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, steps, async (earlier, later) => {
      const workspace = await instance.workspace()
      const { workspaces } = createWorkspaceRequests(instance, workspace)
      const ids: string[] = []
      const runHistory = async (history: typeof earlier) => {
        for (const { action, userId, pick, text, durationSeconds } of history) {
          const isSanction = action === 'mute' || action === 'ban'
          const isLift = action === 'unban' || action === 'unmute'
          const addsRecord = isSanction || action === 'note' || action === 'warn'
          const value = action === 'extend' ? '120' : text
          // Some of these requests are rejected by a rule or by the state, which is intended.
          const { body } = await instance.request('POST', '/api/moderation', {
            key: workspace.key,
            body: {
              workspaceId: workspace.id,
              action,
              ...(addsRecord || isLift ? { userId } : { id: ids[pick % Math.max(1, ids.length)] ?? 'none' }),
              ...(addsRecord || ['edit', 'revoke', 'redact'].includes(action) ? { reason: text } : {}),
              ...(isSanction ? { durationSeconds } : {}),
              ...(action === 'comment' || action === 'extend' ? { value } : {}),
            },
          })
          if (addsRecord && body.record) ids.push(body.record.id)
          instance.clock.advance(pick * 1000)
        }
      }
      await runHistory(earlier)
      const archive = await archiveWorkspace(instance, workspace)
      const before = await readEverything(instance, workspace.id, workspace)
      const credentials = { session: workspace.ownerSession }
      const copy = (await workspaces({ fromArchive: archive.id }, credentials)).body.workspace
      expect(await readEverything(instance, copy.id, workspace)).toEqual(before)
      await workspaces({ id: workspace.id, archive: false })
      // Texts redacted later stay redacted after a roll-back, which restore.test.ts checks.
      await runHistory(later.filter(({ action }) => action !== 'redact'))
      await archiveWorkspace(instance, workspace)
      await workspaces({ id: workspace.id, fromArchive: archive.id })
      expect(await readEverything(instance, workspace.id, workspace)).toEqual(
        await readEverything(instance, copy.id, workspace),
      )
      await expectIntactAuditChain(instance)
    }),
    { numRuns: 8 },
  )
}, 60_000)
