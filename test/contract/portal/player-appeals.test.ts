import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, openAppeals } from '../appeals/fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('a player is shown with the open appeals of bans in force, to those who may view appeals', async () => {
  const { workspaceId, mod, ban, act, submit } = await openAppeals(instance)
  const moderator = await instance.member(workspaceId, ['moderation.view'])
  const list = async (session: string, query: Record<string, string> = { userId: '261' }) => {
    const search = new URLSearchParams({ workspaceId, ...query })
    const { body } = await instance.request('GET', `/portal/api/players?${search}`, { session })
    return body.players.map(({ openAppeals: appeals }: { openAppeals: object[] }) => appeals)
  }
  const first = await ban({ durationSeconds: '86400' })
  expect(await list(mod.session)).toEqual([[]])
  const { id } = (await submit(first.appealCode)).body.appeal
  expect(await list(mod.session)).toEqual([[{ id, recordId: first.id }]])
  expect(await list(mod.session, { q: '26' })).toEqual([[{ id, recordId: first.id }]])
  expect(await list(moderator.session)).toEqual([[]])
  // A ban that replaces it ends the appeal; so does its end.
  const second = await ban({ durationSeconds: '86400' })
  expect(await list(mod.session)).toEqual([[]])
  await act(mod.session, { action: 'ban', userId: '262', reason: 'Exploiting' })
  expect((await submit(second.appealCode)).status).toBe(200)
  expect(await list(mod.session, { userId: '262' })).toEqual([[]])
  expect(await list(mod.session)).toMatchObject([[{ recordId: second.id }]])
  instance.clock.advance(DAY)
  expect(await list(mod.session)).toEqual([[]])
})
