import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAxeViolations } from '../support/axe.ts'
import { type Browser, openBrowser, openTab } from '../support/browser.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  chooseInUserMenu,
  expectFocus,
  fillIn,
  pressButton,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import {
  openPasskeyInstance,
  openPasskeyTab,
  type PasskeyTab,
  startPasskeyServer,
} from '../support/passkey-browser.ts'
import { OWNER } from '../support/server.ts'
import { readSessionToken } from '../support/session-token.ts'

setDefaultTimeout(60_000)

let browser: Browser
let server: Awaited<ReturnType<typeof startPasskeyServer>>
beforeAll(async () => {
  ;[browser, server] = await Promise.all([openBrowser(), startPasskeyServer()])
  await server.setUp()
}, 60_000)
afterAll(() => Promise.all([browser?.close(), server?.close()]))

let accountCount = 0
/** Opens the account of a new user, in a browser with an authenticator. */
async function openAccount(options: Parameters<typeof openPasskeyTab>[3] = {}) {
  const username = `wren${++accountCount}`
  await server.createAccount(username)
  const session = await server.session(username)
  const tab = await openPasskeyTab(browser, server, '/account', { session, ...options })
  await waitForHeading(tab.page, 'Your account')
  return { ...tab, username, session }
}

const list = (page: Page) => page.getByRole('list', { name: 'Your passkeys' }).getByRole('listitem')
const waitForSignedIn = (page: Page, username: string) =>
  page.getByRole('button', { name: `Signed in as ${username}. Your menu` }).waitFor()

/** Adds a passkey: one click on the page, one in the dialog of the browser, which the authenticator stands in for. */
async function enroll({ page }: PasskeyTab, count = 1): Promise<void> {
  await pressButton(page, 'Add passkey')
  await list(page)
    .nth(count - 1)
    .waitFor()
  if (count === 1) await pressButton(page, 'I have stored them')
}

/** Adds a passkey and signs out. */
async function enrollAndSignOut(options: Parameters<typeof openPasskeyTab>[3] = {}) {
  const tab = await openAccount(options)
  await enroll(tab)
  await chooseInUserMenu(tab.page, 'Sign out')
  await waitForHeading(tab.page, 'Sign in')
  return tab
}

test('a passkey is added with two clicks, renamed and removed', async () => {
  const tab = await openAccount()
  const { page } = tab
  await pressButton(page, 'Add passkey')
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await codes.getByRole('button', { name: 'I have stored them' }).click()
  await codes.waitFor({ state: 'detached' })
  await list(page).getByText('Chrome on Linux').waitFor()
  await list(page).getByText('not used yet').waitFor()

  await pressButton(page, 'Rename the passkey Chrome on Linux')
  await fillIn(page, { Name: 'My laptop' })
  await pressButton(page, 'Rename')
  await list(page).getByText('My laptop').waitFor()
  await expectNoPageErrors(tab)

  // Chromium refuses to create a second one in the same authenticator.
  await pressButton(page, 'Add passkey')
  await page.getByText('This device or password manager already has a passkey for your account.').waitFor()
  await tab.replaceAuthenticator({ transport: 'usb' })
  await enroll(tab, 2)

  for (const [name, left] of [
    ['Chrome on Linux', 1],
    ['My laptop', 0],
  ] as const) {
    await pressButton(page, `Remove the passkey ${name}`)
    await pressButton(page, 'Remove passkey')
    await page.getByText(`Removed the passkey “${name}”.`).waitFor()
    await list(page).nth(left).waitFor({ state: 'detached' })
  }
  await tab.close()
})

test('a passkey signs in without a username, and with one that is typed', async () => {
  const tab = await enrollAndSignOut()
  const { page, username } = tab
  await pressButton(page, 'Sign in with a passkey')
  await waitForSignedIn(page, username)
  await page.goto(`${server.origin}/account`)
  await list(page).getByText('last used').waitFor()
  await chooseInUserMenu(page, 'Sign out')
  await fillIn(page, { Username: username })
  await pressButton(page, 'Sign in with a passkey')
  await waitForSignedIn(page, username)
  await expectNoPageErrors(tab)
  await tab.close()
})

test('a passkey is offered among the suggestions of the username', async () => {
  const tab = await openAccount({ hasAutofill: true })
  const { page, username } = tab
  await enroll(tab)
  // The virtual authenticator accepts at once what a person would choose from the list: the form may be gone before it is seen.
  const signedIn = page.waitForResponse(`${server.origin}/portal/api/sign-in/passkey`)
  await chooseInUserMenu(page, 'Sign out')
  expect((await signedIn).status()).toBe(200)
  await waitForSignedIn(page, username)
  await expectNoPageErrors(tab)
  await tab.close()
})

test('what went wrong is said, and the password still signs in', async () => {
  const tab = await enrollAndSignOut()
  const { page, username } = tab
  await tab.setUserVerified(false)
  await pressButton(page, 'Sign in with a passkey')
  await page
    .getByText('No passkey was used: the request was cancelled or took too long. Try again.')
    .waitFor()

  // Removed elsewhere, while this browser still has it.
  await tab.setUserVerified(true)
  await pressButton(page, 'Sign in with a passkey')
  await waitForSignedIn(page, username)
  await page.goto(`${server.origin}/account`)
  await pressButton(page, 'Remove the passkey Chrome on Linux')
  await pressButton(page, 'Remove passkey')
  await list(page).waitFor({ state: 'detached' })
  await chooseInUserMenu(page, 'Sign out')
  await pressButton(page, 'Sign in with a passkey')
  await page.getByText('This passkey is not accepted.').waitFor()
  await signIn(page, username)
  await waitForSignedIn(page, username)
  await tab.close()
})

test('a passkey is the second factor after the password', async () => {
  const tab = await enrollAndSignOut({ transport: 'usb' })
  const { page, username } = tab
  await signIn(page, username)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await expectFocus(page, 'Use a passkey')
  // Nobody touches the security key in time.
  await tab.setUserVerified(false)
  await pressButton(page, 'Use a passkey')
  await page.getByText('No passkey was used').waitFor()
  await tab.setUserVerified(true)
  await pressButton(page, 'Use a passkey')
  await waitForSignedIn(page, username)
  await expectNoPageErrors(tab)
  await tab.close()
})

test('a recovery code stands in for a lost passkey', async () => {
  const tab = await openAccount()
  const { page, username } = tab
  await pressButton(page, 'Add passkey')
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  const code = await codes.getByRole('listitem').first().textContent()
  await pressButton(page, 'I have stored them')
  await codes.waitFor({ state: 'detached' })
  await chooseInUserMenu(page, 'Sign out')
  await signIn(page, username)
  await pressButton(page, 'Use a recovery code')
  await fillIn(page, { 'Recovery code': code ?? '' })
  await pressButton(page, 'Continue')
  await waitForSignedIn(page, username)
  await tab.close()
})

test('a passkey confirms who is there before a sensitive action, which is then done', async () => {
  const site = await openPasskeyInstance()
  const { account, request, clock } = site.instance
  await account('robin')
  const body = { username: 'robin', password: PASSWORD }
  const session = readSessionToken(await request('POST', '/portal/api/sign-in', { body }))
  const tab = await openPasskeyTab(browser, site, '/account', { session })
  const { page } = tab
  await enroll(tab)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  clock.advance(10 * 60_000)
  await pressButton(page, 'Remove the passkey Chrome on Linux')
  await pressButton(page, 'Remove passkey')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nothing was done, because you did not confirm that it is you.').waitFor()
  expect(await list(page).count()).toBe(1)
  await pressButton(page, 'Remove passkey')
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Removed the passkey “Chrome on Linux”.').waitFor()
  await list(page).waitFor({ state: 'detached' })
  await expectNoPageErrors(tab)
  await tab.close()
  await site.close()
})

test('at another URL of the instance, the account says where passkeys work', async () => {
  const { origin } = new URL(server.process.url)
  const cookie = { ...server.cookie(await server.session(OWNER)), url: origin }
  const tab = await openTab(browser, `${origin}/account`, {}, [cookie])
  const link = tab.page.getByRole('link', { name: server.origin })
  expect(await link.getAttribute('href')).toBe(`${server.origin}/account#passkeys`)
  expect(await tab.page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
  await tab.close()
  // Browsers refuse passkeys for IP addresses.
  const signInTab = await openTab(browser, `${origin}/sign-in`)
  await waitForHeading(signInTab.page, 'Sign in')
  expect(await signInTab.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
  await signInTab.close()
})

for (const [name, viewport] of Object.entries({
  phone: { width: 360, height: 740 },
  desktop: { width: 1440, height: 900 },
})) {
  test(`everything fits and is accessible on a ${name}`, async () => {
    const tab = await openAccount({ browser: { viewport, colorScheme: name === 'phone' ? 'dark' : 'light' } })
    const { page } = tab
    const expectAccessible = async () => {
      expect(await findAxeViolations(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    await pressButton(page, 'Add passkey')
    await page.getByText('Your recovery codes').waitFor()
    await expectAccessible()
    await pressButton(page, 'I have stored them')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectAccessible()
    await pressButton(page, 'Rename the passkey Chrome on Linux')
    await page.getByRole('dialog', { name: 'Rename passkey' }).waitFor()
    await expectAccessible()
    await pressButton(page, 'Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await chooseInUserMenu(page, 'Sign out')
    await waitForHeading(page, 'Sign in')
    await expectAccessible()
    await expectNoPageErrors(tab)
    await tab.close()
  })
}
