import { describe, expect, test } from 'bun:test'
import type { Tab } from '../support/browser.ts'
import { openE2eSession, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  expectSettled,
  fillIn,
  pressButton,
  readField,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { ERROR_STATUS_MESSAGE } from '../support/page-errors.ts'
import {
  enterPasswordAtCompany,
  openSessionWithProviders,
  signInAtCompany,
} from '../support/provider-session.ts'
import { GROUP, OWNER } from '../support/server.ts'

const e2e = useSession(openSessionWithProviders)

/** Nothing was blocked or failed on the pages, and apart from the way to the providers and back they request nothing elsewhere. */
async function expectOnlyProviders({
  listCrossOriginRequests,
  listCspViolations,
  pageErrors,
}: Tab): Promise<void> {
  const isElsewhere = (url: string) =>
    !e2e.issuers.some((issuer) => new URL(issuer).origin === new URL(url).origin) &&
    !url.includes('googleapis')
  expect(listCrossOriginRequests().filter(isElsewhere)).toEqual([])
  expect(await listCspViolations()).toEqual([])
  const isUnexpected = (error: string) =>
    !ERROR_STATUS_MESSAGE.test(error) && !/googleapis|ERR_FAILED/.test(error)
  expect(pageErrors.filter(isUnexpected)).toEqual([])
}

/** Links an account on the account page of the owner, or of another session. */
async function link(provider: string, session: string): Promise<void> {
  const { page } = await e2e.openScreen('/account', { session, heading: 'Linked accounts' })
  await pressButton(page, `Link ${provider}`)
  await page.getByText(`Your ${provider} account is linked.`).waitFor()
}

describe('an OpenID Connect provider', () => {
  test('creates an account with the name there, and signs in to it from then on', async () => {
    const tab = await e2e.openScreen('/account', { session: null, heading: 'Sign in' })
    const { page } = tab
    await signInAtCompany(page, 'kestrel')
    await waitForHeading(page, 'Create your account')
    await page.getByText('You will sign in with Night Shift SSO as kestrel.').waitFor()
    expect(await readField(page, 'Username')).toBe('kestrel')
    await fillIn(page, { Username: OWNER })
    await pressButton(page, 'Create account')
    await page.getByText(`An account named ${OWNER} already exists.`).waitFor()
    await fillIn(page, { Username: 'kestrel' })
    await pressButton(page, 'Create account')
    await waitForHeading(page, 'Your account')
    expect(new URL(page.url()).pathname).toBe('/account')
    await page.getByText('Night Shift SSO · kestrel').waitFor()
    await expectOnlyProviders(tab)
    const second = await e2e.openScreen('/', { session: null, heading: 'Sign in' })
    await signInAtCompany(second.page, 'kestrel')
    await second.page.getByRole('button', { name: /^Signed in as kestrel/ }).waitFor()
    expect(new URL(second.page.url()).search).toBe('')
  })
})

describe('the sign-in screen', () => {
  test('has a button for each configured provider, and returns to the requested page', async () => {
    const user = e2e.becomeSomebody('Builderman')
    await e2e.server.createAccount('merlin')
    await link('Roblox', await e2e.server.session('merlin'))
    const tab = await e2e.openScreen('/workspaces/new', { session: null, heading: 'Sign in' })
    const { page } = tab
    const buttons = await page.getByRole('button', { name: /^Continue with/ }).allTextContents()
    expect(buttons).toEqual([
      'Continue with Night Shift SSO',
      'Continue with Discord',
      'Continue with Roblox',
    ])
    await pressButton(page, 'Continue with Roblox')
    await waitForHeading(page, 'Create a workspace')
    await page.getByRole('button', { name: /^Signed in as merlin/ }).waitFor()
    expect((await tab.context.cookies()).map(({ name }) => name).sort()).toEqual([
      'reeve_device',
      'reeve_oidc',
      'reeve_session',
    ])
    await expectOnlyProviders(tab)
    const account = await e2e.openScreen('/account', { session: await e2e.server.session('merlin') })
    await account.page.getByText(`ID ${user.subject} · linked`).waitFor()
  })

  test('says what to do if the account is not linked, the person declines, or the provider is down', async () => {
    e2e.becomeSomebody('stranger')
    const { page } = await e2e.openScreen('/sign-in', { session: null, heading: 'Sign in' })
    await pressButton(page, 'Continue with Discord')
    await waitForHeading(page, 'Discord did not work')
    await page
      .getByText('The Discord account stranger is not linked to an account of this instance.')
      .waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await waitForHeading(page, 'Sign in')
    e2e.roblox.oauth.authorizationError = 'access_denied'
    await pressButton(page, 'Continue with Roblox')
    await waitForHeading(page, 'Roblox did not work')
    await page.getByText('You did not allow the sign-in at Roblox.').waitFor()
    const { url } = await e2e.server.process.waitForLog((line) => line.problem === 'access_denied')
    expect(url).toBeUndefined()
    await page.reload()
    await page.getByText('This sign-in was already finished').waitFor()
  })

  test('has no buttons without a provider', async () => {
    const other = await openE2eSession()
    const { page } = await other.openScreen('/sign-in', { session: null, heading: 'Sign in' })
    expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0)
    await other.resetTest()
    await other.close()
  })
})

describe('an invitation', () => {
  test('is accepted with a new account of a provider, which need not create accounts otherwise', async () => {
    e2e.becomeSomebody('Telamon')
    const { token } = await e2e.requestAsOwner('POST', '/portal/api/invitations')
    const tab = await e2e.openScreen(`/invitation#${token}`, { session: null, heading: `Join ${GROUP}` })
    const { page, requestedUrls } = tab
    await pressButton(page, 'Continue with Roblox')
    await waitForHeading(page, 'Create your account')
    expect(await readField(page, 'Username')).toBe('Telamon')
    await pressButton(page, 'Create account')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
    await page.getByRole('button', { name: /^Signed in as Telamon/ }).waitFor()
    expect(requestedUrls.filter((url) => new URL(url).hash === '' && url.includes(token))).toEqual([])
    const people = await e2e.openScreen(`/w/${e2e.owner.workspaceId}/people`, { heading: 'People' })
    await people.page.getByRole('link', { name: /^Roblox profile of Telamon, ID \d+$/ }).waitFor()
    await expectOnlyProviders(tab)
  })

  test('is accepted with an account that is already linked', async () => {
    e2e.becomeSomebody('Dued1')
    await e2e.server.createAccount('dued1')
    await link('Discord', await e2e.server.session('dued1'))
    const { token } = await e2e.requestAsOwner('POST', '/portal/api/invitations')
    const { page } = await e2e.openScreen(`/invitation#${token}`, { session: null, heading: `Join ${GROUP}` })
    await page.getByRole('radio', { name: 'I have an account' }).press('Space')
    await pressButton(page, 'Continue with Discord')
    await pressButton(page, 'Join as dued1')
    await page.getByText(`Welcome to ${GROUP}.`).waitFor()
  })
})

describe('an expired session', () => {
  test('is continued in a new tab, and what was typed is kept', async () => {
    e2e.becomeSomebody('Shedletsky')
    await e2e.server.createAccount('heron')
    await link('Roblox', await e2e.server.session('heron'))
    const session = await e2e.server.session('heron')
    const tab = await e2e.openScreen('/workspaces/new', { session, heading: 'Create a workspace' })
    const { page, context } = tab
    await fillIn(page, { 'Group name': 'Owls of the north' })
    await e2e.server.requestOk('POST', '/portal/api/sign-out', { session })
    await pressButton(page, 'Create workspace')
    await page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' }).waitFor()
    const opened = context.waitForEvent('page')
    await pressButton(page, 'Continue with Roblox')
    const newTab = await opened
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: 'Sign in again' })
      .waitFor({ state: 'detached' })
    await expectSettled(() => readField(page, 'Group name'), 'Owls of the north')
    if (!newTab.isClosed()) await newTab.waitForEvent('close')
    await pressButton(page, 'Create workspace')
    await page.getByRole('button', { name: /^Owls of the north/ }).waitFor()
  })
})

describe('a sensitive action of an account that only a provider signs in', () => {
  test('is confirmed in a new tab, where the provider asks again, and what was typed is kept', async () => {
    const tab = await e2e.openScreen('/account', { session: null, heading: 'Sign in' })
    const { page, context } = tab
    await signInAtCompany(page, 'wren')
    await pressButton(page, 'Create account')
    await page.getByRole('button', { name: /^Signed in as wren/ }).waitFor()
    const session = (await context.cookies()).find(({ name }) => name === 'reeve_session')?.value ?? ''
    const groupName = 'Wren watch'
    const { body } = await e2e.server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    await page.goto(`${e2e.server.origin}/w/${body.workspace.id}/configuration/api/keys`)
    await pressButton(page, 'New key')
    await fillIn(page, { Name: 'Night server' })
    await e2e.forgetVerifications()
    await pressButton(page, 'Create key')
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const confirm = dialog.getByRole('button', { name: 'Confirm with Night Shift SSO' })
    await confirm.waitFor()
    expect(await dialog.getByRole('button', { name: /^Confirm with/ }).count()).toBe(1)
    await context.route(/googleapis/, (route) => route.abort())
    const opened = context.waitForEvent('page')
    await confirm.click()
    const newTab = await opened
    // The provider would not ask: it has a session.
    await enterPasswordAtCompany(newTab, 'wren')
    await page.getByText('The key “Night server” is ready').waitFor()
    expect(await dialog.count()).toBe(0)
    if (!newTab.isClosed()) await newTab.waitForEvent('close')
    await expectOnlyProviders(tab)
  })
})

describe('the account page', () => {
  test('sends no more requests than other screens may', async () => {
    const tab = await e2e.openScreen('/account', { heading: 'Linked accounts' })
    await tab.page.getByRole('button', { name: 'Add an app' }).waitFor()
    await tab.page.waitForLoadState('networkidle')
    const reads = tab.requestedUrls
      .map((url) => new URL(url).pathname)
      .filter((path) => path.includes('/api/'))
    expect(reads).toEqual([...new Set(reads)])
    expect(reads.filter((path) => /factors|passkeys/.test(path))).toEqual(['/portal/api/factors'])
  })

  test('links and unlinks an account, but keeps the last way to sign in', async () => {
    e2e.becomeSomebody('Builderman2')
    const { page: first } = await e2e.openScreen('/sign-in', { session: null, heading: 'Sign in' })
    await signInAtCompany(first, 'plover')
    await pressButton(first, 'Create account')
    await first.getByRole('button', { name: /^Signed in as plover/ }).waitFor()
    await first.goto(`${e2e.server.origin}/account`)
    const unlink = async (provider: string) => {
      await pressButton(first, `Unlink ${provider}`)
      await first.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    }
    await unlink('Night Shift SSO')
    await first.getByText('This is the only way to sign in to your account.').waitFor()
    await first.getByRole('button', { name: 'Cancel' }).click()
    await pressButton(first, 'Link Discord')
    await first.getByText('Discord · Builderman2').waitFor()
    await unlink('Night Shift SSO')
    await first.getByText('Night Shift SSO is no longer linked.').waitFor()
    await first.getByRole('button', { name: 'Link Night Shift SSO' }).waitFor()
  })

  test('says so if the account is linked to another one', async () => {
    e2e.becomeSomebody('Shared')
    for (const name of ['egret', 'bittern']) await e2e.server.createAccount(name)
    await link('Roblox', await e2e.server.session('egret'))
    const { page } = await e2e.openScreen('/account', {
      session: await e2e.server.session('bittern', PASSWORD),
    })
    await pressButton(page, 'Link Roblox')
    await waitForHeading(page, 'Roblox did not work')
    await page.getByText('This Roblox account is linked to another account of this instance.').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await waitForHeading(page, 'Your account')
  })
})

test('signing in with the password still works next to the buttons', async () => {
  const { page } = await e2e.openScreen('/account', { session: null, heading: 'Sign in' })
  await signIn(page)
  await waitForHeading(page, 'Your account')
})
