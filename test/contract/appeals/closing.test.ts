import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeExpiredAppeals } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from './fixture.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('an appeal that closes without a decision is in the audit log, with who ended or replaced the ban', async () => {
  const desk = await openAppeals(instance)
  const { workspaceId, ownerSession, act } = desk
  const ids: Record<string, string> = {}
  for (const userId of ['1', '2', '3']) {
    const { appealCode } = await desk.ban({ userId, ...(userId === '3' && { durationSeconds: '60' }) })
    ids[userId] = (await desk.submit(appealCode)).body.appeal.id
  }
  await act(ownerSession, { action: 'unban', userId: '1' })
  await act(ownerSession, { action: 'ban', userId: '2', reason: 'Again' })
  instance.clock.advance(DAY)
  const expiredAt = (await desk.show(String(ids['3']), await instance.session(desk.judge.accountId))).appeal
    .closedAt
  await closeExpiredAppeals(instance.db, instance.ports)
  const session = await instance.session((await instance.member(workspaceId, ['audit.view'])).accountId)
  const readLast = async (targetId: string | undefined) =>
    (
      await instance.request('GET', `/portal/api/audit?workspaceId=${workspaceId}&targetId=${targetId}`, {
        session,
      })
    ).body.entries[0]
  expect(await readLast(ids['1'])).toMatchObject({
    action: 'appeals.expire',
    actorKind: 'account',
    changes: { before: { state: 'submitted' }, after: { state: 'expired' } },
  })
  expect(await readLast(ids['2'])).toMatchObject({
    action: 'appeals.supersede',
    actorKind: 'account',
    changes: { before: { state: 'submitted' }, after: { state: 'superseded' } },
  })
  expect(await readLast(ids['3'])).toMatchObject({
    action: 'appeals.expire',
    actorName: 'reeve (expired bans)',
    changes: { before: { state: 'submitted' }, after: { state: 'expired', closedAt: expiredAt } },
  })
})
