import { afterAll, beforeAll, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openRaidFixture } from './raid-fixture.ts'

const STEAM_ID = '76561197960287930'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** An appeal about a ban of somebody else; the judge has imposed the second ban of the player, under another form of the ID. */
async function openAppealOfSecondBan() {
  const fixture = await openRaidFixture(instance)
  const judge = await instance.member(fixture.id, permissions)
  const appealed = await fixture.ban(STEAM_ID)
  const own = await fixture.actAs(judge.session, {
    action: 'ban',
    userId: `steam:${STEAM_ID}`,
    reason: 'Exploiting',
  })
  const owner = fixture.ownerSession
  const patch = async (path: string, fields: object) => {
    const body = { workspaceId: fixture.id, ...fields }
    expect((await instance.request('PATCH', path, { session: owner, body })).status).toBe(200)
  }
  await patch('/portal/api/workspace', { defaultPlatform: 'steam' })
  instance.clock.advance(1000)
  const id = await fixture.appeal(appealed)
  return {
    ...fixture,
    own,
    allowOwnDecision: () => patch('/portal/api/appeals/settings', { allowOwnDecision: 'true' }),
    decide: (decision: string, fields: object = {}) =>
      instance.request('POST', '/portal/api/appeals/decide', {
        session: judge.session,
        body: { workspaceId: fixture.id, id, decision, ...fields },
      }),
    show: () => fixture.getAs(judge.accountId, '/portal/api/appeals/appeal', { id }),
    listInbox: async () =>
      (await fixture.getAs(judge.accountId, '/portal/api/inbox', { source: 'appeals', limit: '10' })).items,
  }
}

test('who imposed one of two bans of a player decides no appeal about the other: the page offers no decision that is refused', async () => {
  const { own, allowOwnDecision, decide, show, listInbox, listActiveBans } = await openAppealOfSecondBan()
  expect(await show()).toMatchObject({
    canDecide: 'false',
    isOwnBan: 'true',
    ownCaseNumber: own.caseNumber,
  })
  expect(await listInbox()).toEqual([])
  for (const [decision, fields] of [
    ['accepted', {}],
    ['reduced', { durationSeconds: '90000' }],
    ['denied', {}],
  ] as const) {
    const { status, body } = await decide(decision, fields)
    expect([status, body.reason, body.error]).toEqual([
      403,
      'own_decision',
      expect.stringContaining(`You imposed another ban of this player, case ${own.caseNumber},`),
    ])
  }
  await allowOwnDecision()
  expect(await show()).toMatchObject({ canDecide: 'true', isOwnBan: 'true' })
  expect(await listInbox()).toHaveLength(1)
  expect((await decide('accepted')).status).toBe(200)
  expect(await listActiveBans(STEAM_ID)).toEqual([])
})

test('once the other ban has ended, who imposed it decides the appeal', async () => {
  const { own, actOk, decide, show, listInbox } = await openAppealOfSecondBan()
  await actOk({ action: 'unban', id: own.id })
  expect(await show()).toMatchObject({ canDecide: 'true', isOwnBan: 'false', ownCaseNumber: null })
  expect(await listInbox()).toHaveLength(1)
  expect((await decide('denied')).status).toBe(200)
})
