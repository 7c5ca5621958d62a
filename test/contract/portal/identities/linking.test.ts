import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { deleteAccountById } from '../../../support/delete-account.ts'
import { startDiscordSignIn } from '../../../support/discord-sign-in.ts'
import { type Instance, openInstance } from '../../../support/instance.ts'
import { agreeAt } from '../../../support/oauth-stand-in.ts'
import { createProviderBrowser } from '../../../support/provider-browser.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../../../support/roblox-sign-in.ts'
import { readTestProviders } from '../../../support/test-providers.ts'

let roblox: RobloxSignIn
let discord: ReturnType<typeof startDiscordSignIn>
let instance: Instance
let subjectCount = 5000

beforeAll(async () => {
  roblox = await startRobloxSignIn()
  discord = startDiscordSignIn()
  instance = await openInstance({ oidc: readTestProviders({ ...roblox.env, ...discord.env }) })
  roblox.oauth.now = instance.ports.now
})
beforeEach(() => becomeSomebody())
afterAll(async () => {
  await instance.close()
  await roblox.stop()
  await discord.stop()
})

function becomeSomebody(username = 'Shedletsky') {
  subjectCount += 1
  const user = { subject: String(subjectCount), username }
  roblox.oauth.user = user
  discord.oauth.user = user
  return user
}

async function openBrowser(accountId?: string) {
  const id = accountId ?? (await instance.account())
  return { id, ...createProviderBrowser(instance, await instance.session(id)) }
}

const listAuditEntries = statement<{ target: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['action', 'changes'])
    .where('target_id', '=', p.target)
    .where('action', 'like', 'accounts.%identity'),
)
const removePassword = statement<{ id: string }>()((sql, p) =>
  sql.updateTable('account').set({ password_hash: null }).where('id', '=', p.id),
)

describe('linking', () => {
  test('adds the identity to the account, which lists it with its id, name and use', async () => {
    const user = becomeSomebody('Builderman')
    const browser = await openBrowser()
    const linked = await browser.link('roblox')
    expect(linked.body).toEqual({
      account: null,
      secondFactor: null,
      signUp: null,
      linkedProvider: 'Roblox',
      verifiedUntil: null,
    })
    instance.clock.advance(60_000)
    roblox.oauth.user = { ...user, username: 'Builderman2' }
    await createProviderBrowser(instance).signIn('roblox')
    const { body } = await browser.request('GET', '/portal/api/identities')
    expect(body.identities).toEqual([
      {
        issuer: roblox.issuer,
        subject: user.subject,
        providerName: 'Roblox',
        name: 'Builderman2',
        linkedAt: expect.any(String),
        lastUsedAt: new Date(instance.clock.now()).toISOString(),
        isConfigured: 'true',
      },
    ])
  })

  test('and unlinking are in the audit log with the identity', async () => {
    const user = becomeSomebody('Builderman')
    const browser = await openBrowser()
    await browser.link('discord')
    const unlinked = await browser.request('DELETE', `/portal/api/identities?issuer=${discord.issuer}`)
    expect([unlinked.status, unlinked.body.identity?.subject]).toEqual([200, user.subject])
    const entries = await instance.db.read.all(listAuditEntries, { target: browser.id })
    expect(entries.map(({ action }) => action)).toEqual([
      'accounts.link_identity',
      'accounts.unlink_identity',
    ])
    for (const { changes } of entries) expect(changes).toContain(`"subject":"${user.subject}"`)
    expect((await createProviderBrowser(instance).signIn('discord')).status).toBe(401)
  })

  test('of an identity that another account has is refused', async () => {
    await (await openBrowser()).link('roblox')
    const browser = await openBrowser()
    const { status, body } = await browser.link('roblox')
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.error).toContain('is linked to another account of this instance')
    expect((await browser.request('GET', '/portal/api/identities')).body.identities).toEqual([])
  })

  test('of a second identity of one provider, or of the same one again, is refused', async () => {
    const browser = await openBrowser()
    await browser.link('roblox')
    expect((await browser.link('roblox')).body.error).toContain('already linked to your account')
    becomeSomebody()
    expect((await browser.link('roblox')).body.error).toContain('Unlink that one first.')
    expect((await browser.link('discord')).status).toBe(200)
  })

  test('of one identity by two accounts at once succeeds for one of them', async () => {
    const browsers = await Promise.all([openBrowser(), openBrowser()])
    const searches = await Promise.all(
      browsers.map(async ({ startLink }) => (await agreeAt((await startLink('roblox')).body.url)).search),
    )
    const responses = await Promise.all(
      browsers.map(({ finish }, index) => finish('roblox', searches[index] ?? '')),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('needs the session of the account that asked for it', async () => {
    const browser = await openBrowser()
    const { search } = await agreeAt((await browser.startLink('roblox')).body.url)
    browser.cookies.set('reeve_session', await instance.session(await instance.account()))
    expect((await browser.finish('roblox', search)).status).toBe(409)
    const signedOut = await openBrowser()
    const back = await agreeAt((await signedOut.startLink('roblox')).body.url)
    signedOut.cookies.delete('reeve_session')
    expect((await signedOut.finish('roblox', back.search)).status).toBe(401)
    for (const { request } of [browser, await openBrowser(browser.id)])
      expect((await request('GET', '/portal/api/identities')).body.identities).toEqual([])
  })

  test('and unlinking need a factor that was verified within ten minutes', async () => {
    await (await openBrowser()).link('roblox')
    const browser = createProviderBrowser(instance)
    await browser.signIn('roblox')
    instance.clock.advance(10 * 60_000)
    const responses = [
      await browser.startLink('discord'),
      await browser.request('DELETE', `/portal/api/identities?issuer=${roblox.issuer}`),
    ]
    const required = ['verification_required', 'verification_required']
    expect(responses.map(({ body }) => body.reason)).toEqual(required)
    expect((await browser.request('GET', '/portal/api/identities')).body.identities).toHaveLength(1)
    // Signing in again verifies the identity.
    await browser.signIn('roblox')
    expect((await browser.startLink('discord')).status).toBe(200)
  })
})

test('staff see the Roblox account of a member, and no account of another provider', async () => {
  const user = becomeSomebody('Builderman')
  const workspace = await instance.workspace()
  const member = await instance.member(workspace.id, ['members.view'])
  const browser = createProviderBrowser(instance, member.session)
  await browser.link('discord')
  const readMembers = async () => {
    const path = `/portal/api/members?workspaceId=${workspace.id}`
    const { body } = await instance.request('GET', path, { session: workspace.ownerSession })
    const { body: one } = await instance.request('GET', `${path}&accountId=${member.accountId}`, {
      session: workspace.ownerSession,
    })
    const listed = body.members.find(({ accountId }: { accountId: string }) => accountId === member.accountId)
    expect(one.member).toEqual(listed)
    return [listed.robloxUserId, listed.robloxUsername]
  }
  expect(await readMembers()).toEqual([null, null])
  await browser.link('roblox')
  expect(await readMembers()).toEqual([user.subject, 'Builderman'])
})

describe('unlinking', () => {
  const unlink = (browser: Awaited<ReturnType<typeof openBrowser>>, issuer: string) =>
    browser.request('DELETE', `/portal/api/identities?issuer=${issuer}`)

  test('keeps the last way to sign in', async () => {
    const browser = await openBrowser()
    await browser.link('roblox')
    await browser.link('discord')
    await instance.db.write((tx) => tx.run(removePassword, { id: browser.id }))
    expect((await unlink(browser, discord.issuer)).status).toBe(200)
    const { status, body } = await unlink(browser, roblox.issuer)
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(body.error).toContain('This is the only way to sign in to your account.')
    expect((await createProviderBrowser(instance).signIn('roblox')).status).toBe(200)
  })

  test('of what is not linked is not found', async () => {
    expect((await unlink(await openBrowser(), roblox.issuer)).status).toBe(404)
  })

  test('by deleting the account makes the identity free', async () => {
    const browser = await openBrowser()
    await browser.link('roblox')
    await deleteAccountById(instance, browser.id)
    expect((await createProviderBrowser(instance).signIn('roblox')).body.error).toContain('is not linked')
    expect((await (await openBrowser()).link('roblox')).status).toBe(200)
  })
})
