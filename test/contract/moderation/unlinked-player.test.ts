import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Permission, RoleLimits } from '@reeve/core'
import { startDiscordSignIn } from '../../support/discord-sign-in.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createProviderBrowser } from '../../support/provider-browser.ts'
import { readTestProviders } from '../../support/test-providers.ts'
import { openAppeals } from '../appeals/fixture.ts'
import { openLimitsFixture } from './limits-fixture.ts'

let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
beforeAll(async () => {
  discord = startDiscordSignIn()
  instance = await openInstance({ oidc: readTestProviders(discord.env) })
})
afterAll(async () => {
  await instance.close()
  await discord.stop()
})

let subject = 271828182845904500n

/** Links a member to a Discord account. @returns the player, and unlinks it again as the member */
async function linkDiscord(session: string) {
  subject += 1n
  discord.oauth.user = { subject: String(subject), username: 'amy' }
  const browser = createProviderBrowser(instance, session)
  expect((await browser.link('discord')).status).toBe(200)
  return {
    player: `discord:${subject}`,
    async unlink() {
      const query = new URLSearchParams({ issuer: discord.issuer })
      expect((await browser.request('DELETE', `/portal/api/identities?${query}`)).status).toBe(200)
    },
  }
}

/** A key of a bot, created by somebody else. */
async function createBotKey(workspaceId: string, limits: Partial<RoleLimits> = {}): Promise<string> {
  const permissions: Permission[] = ['moderation.ban', 'moderation.approve', 'api_keys.manage']
  const { session } = await instance.member(workspaceId, permissions, 10, limits)
  const body = { workspaceId, name: 'Bot', permissions: 'moderation.ban,moderation.approve' }
  return (await instance.request('POST', '/portal/api/api-keys', { session, body })).body.secret
}

test('nobody approves their own request by unlinking the account with which they made it', async () => {
  const fixture = await openLimitsFixture(instance)
  const limits = { permanentBansNeedApproval: true }
  const amy = await fixture.staff(limits, ['moderation.approve'])
  const { player, unlink } = await linkDiscord(amy.session)
  const [strictKey, key] = [await createBotKey(fixture.id, limits), await createBotKey(fixture.id)]
  const throughBot = await fixture.act(
    { action: 'ban', userId: '1001', reason: 'x', actorPlatformUserId: player },
    { key: strictKey },
  )
  const inPortal = await amy.act({ action: 'ban', userId: '1002' })
  await unlink()
  const approve = async (response: typeof inPortal, credentials: object, fields: object = {}) => {
    const { status, body } = await fixture.decide(
      response.body.approval.id,
      { action: 'approve', ...fields },
      credentials,
    )
    return [status, body.reason]
  }
  const own = [403, 'needs_approval']
  expect(await approve(throughBot, { session: amy.session })).toEqual(own)
  expect(await approve(inPortal, { key }, { actorPlatformUserId: player })).toEqual(own)

  const read = async (path: string, query: string) =>
    (await instance.request('GET', `${path}?workspaceId=${fixture.id}&${query}`, { session: amy.session }))
      .body
  const { approvals } = await read('/api/moderation/approvals', 'state=pending')
  expect(approvals.map(({ canDecide }: { canDecide: string }) => canDecide)).toEqual(['false', 'false'])
  expect((await read('/portal/api/inbox', 'source=approvals&limit=10')).items).toEqual([])

  const stranger = { actorPlatformUserId: 'discord:271828182845904523' }
  expect(await approve(inPortal, { key }, stranger)).toEqual([200, undefined])
  expect(await approve(throughBot, { session: fixture.ownerSession })).toEqual([200, undefined])
})

test('nobody decides the appeal of their own ban by unlinking the account with which they imposed it', async () => {
  const { workspaceId, judge, show, submit, staff } = await openAppeals(instance)
  const { player, unlink } = await linkDiscord(judge.session)
  const key = await createBotKey(workspaceId)
  const ban = { workspaceId, action: 'ban', userId: '1003', reason: 'x', actorPlatformUserId: player }
  const { record } = (await instance.request('POST', '/api/moderation', { key, body: ban })).body
  const { id } = (await submit(record.appealCode)).body.appeal
  await unlink()
  expect(await show(id)).toMatchObject({ canDecide: 'false', isOwnBan: 'true' })
  const decided = await staff('decide', judge.session, { id, decision: 'accepted' })
  expect([decided.status, decided.body.reason]).toEqual([403, 'own_decision'])
})
