import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../../support/instance.ts'
import { createProviderBrowser } from '../../../support/provider-browser.ts'
import { type RobloxSignIn, startRobloxSignIn } from '../../../support/roblox-sign-in.ts'
import { readTestProviders } from '../../../support/test-providers.ts'

let roblox: RobloxSignIn
/** Its provider creates accounts. */
let open: Instance
/** Its provider creates accounts only with an invitation. */
let closed: Instance
let subjectCount = 9000

beforeAll(async () => {
  roblox = await startRobloxSignIn()
  open = await openInstance({
    oidc: readTestProviders({ ...roblox.env, REEVE_OIDC_ROBLOX_CREATE: 'true' }),
  })
  closed = await openInstance({ oidc: readTestProviders(roblox.env) })
  await open.account('first')
})
beforeEach(() => becomeSomebody())
afterAll(async () => {
  await open.close()
  await closed.close()
  await roblox.stop()
})

function becomeSomebody(username = `Builder ${subjectCount}`) {
  subjectCount += 1
  roblox.oauth.user = { subject: String(subjectCount), username }
}

async function offer(instance: Instance, more: object = {}) {
  const browser = createProviderBrowser(instance)
  const response = await browser.signIn('roblox', more)
  const signUp = response.body.signUp as { token: string; username: string; name: string } | null
  return {
    browser,
    response,
    signUp,
    /** Creates the account. */
    accept: (body: object = {}) =>
      browser.request('POST', '/portal/api/sign-in/sign-up', {
        token: signUp?.token,
        username: signUp?.username,
        ...body,
      }),
  }
}

/** A workspace with an invitation. */
async function invite(instance: Instance) {
  const workspace = await instance.workspace()
  const { body } = await instance.request('POST', '/portal/api/invitations', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id },
  })
  return { workspace, invitation: String(body.token) }
}

describe('an identity that is not linked', () => {
  test('creates an account with CREATE, under the proposed name, which signs in with it from then on', async () => {
    becomeSomebody('Telamon')
    const { response, signUp, browser, accept } = await offer(open)
    expect(response.body).toMatchObject({ account: null, secondFactor: null, linkedProvider: null })
    expect(signUp).toMatchObject({ username: 'Telamon', name: 'Telamon', providerName: 'Roblox' })
    expect(await browser.readUsername()).toBeNull()
    const created = await accept()
    expect([created.status, created.body.account?.username, created.body.workspace]).toEqual([
      200,
      'Telamon',
      null,
    ])
    expect(await browser.readUsername()).toBe('Telamon')
    const again = createProviderBrowser(open)
    expect((await again.signIn('roblox')).body.account.username).toBe('Telamon')
    const { body } = await again.request('GET', '/portal/api/me')
    expect([body.hasPassword, body.account.isOperator]).toEqual(['false', 'false'])
  })

  test('is proposed a free username, and may choose another one', async () => {
    await open.account('Dued1')
    becomeSomebody('dued1')
    const { signUp, accept } = await offer(open)
    expect(signUp?.username).toBe('dued12')
    const taken = await accept({ username: 'DUED1' })
    expect([taken.status, taken.body.code]).toEqual([409, 'conflict'])
    expect((await accept({ username: '' })).status).toBe(400)
    expect((await accept({ username: 'Owl of the north' })).body.account.username).toBe('Owl of the north')
  })

  test('is proposed no e-mail address, and nothing that is no username', async () => {
    becomeSomebody('robin@example.com')
    expect((await offer(open)).signUp?.username).toBe('robin')
    becomeSomebody('\u200b')
    expect((await offer(open)).signUp?.username).toBe('')
    becomeSomebody('x'.repeat(300))
    expect((await offer(open)).signUp?.username).toBe('x'.repeat(47))
  })

  test('creates one account, also with concurrent requests', async () => {
    const { accept } = await offer(open)
    const responses = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((username) => accept({ username })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('creates no second account with the offer of another tab', async () => {
    const [first, second] = [await offer(open), await offer(open)]
    expect((await first.accept({ username: 'tab one' })).status).toBe(200)
    const refused = await second.accept({ username: 'tab two' })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const other = await open.request('POST', '/portal/api/sign-in', {
      body: { username: 'tab two', password: 'x'.repeat(12) },
    })
    expect(other.status).toBe(401)
  })

  test('creates no account after ten minutes', async () => {
    const { accept } = await offer(open)
    open.clock.advance(10 * 60_000)
    roblox.oauth.now = open.ports.now
    expect((await accept()).status).toBe(401)
  })

  test('is told how to link it without CREATE', async () => {
    await closed.account()
    const { response } = await offer(closed)
    expect(response.status).toBe(401)
    expect(response.body.error).toContain('sign in another way, then link Roblox under Your account.')
  })

  test('cannot become the first account of an instance, which nobody could set up then', async () => {
    const empty = await openInstance({
      oidc: readTestProviders({ ...roblox.env, REEVE_OIDC_ROBLOX_CREATE: 'true' }),
      clock: open.clock,
    })
    const { accept } = await offer(empty)
    expect((await accept()).status).toBe(409)
    expect((await empty.request('GET', '/portal/api/first-run')).body.needed).toBe('true')
    await empty.close()
  })
})

describe('an invitation', () => {
  test('creates an account that is a member, also without CREATE', async () => {
    roblox.oauth.now = closed.ports.now
    const { workspace, invitation } = await invite(closed)
    const { accept, browser } = await offer(closed, { invitation })
    const joined = await accept({ invitation })
    expect(joined.status).toBe(200)
    expect(joined.body.workspace.id).toBe(workspace.id)
    const { body } = await browser.request('GET', '/portal/api/me')
    expect(body.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
  })

  test('that is not valid creates no account', async () => {
    roblox.oauth.now = closed.ports.now
    const { accept } = await offer(closed, { invitation: 'junk' })
    expect((await accept({ username: 'no invitation' })).status).toBe(403)
    expect((await accept({ username: 'no invitation', invitation: 'junk' })).status).toBe(404)
    // The offer still works with a valid one, and the name is free.
    const { invitation } = await invite(closed)
    expect((await accept({ username: 'no invitation', invitation })).status).toBe(200)
  })
})
