import { beforeEach, describe, expect, test } from 'bun:test'
import { endAccountSessions } from '@reeve/auth'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { useInstancePerTest } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  DESKTOP,
  expectFocus,
  expectSettled,
  fillIn,
  PHONE,
  pressButton,
  readField,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { readSessionToken } from '../support/session-token.ts'
import { enrolAuthenticator, readAuthenticator, TOTP_STEP_MS } from '../support/totp.ts'

const MINUTE = 60_000

const server = useInstancePerTest()
let workspace: Awaited<ReturnType<typeof server.instance.workspace>>
let username: string
beforeEach(async () => {
  workspace = await server.instance.workspace()
  const { body } = await server.instance.request('GET', '/portal/api/me', { session: workspace.ownerSession })
  username = body.account.username
})

const openPage = (path: string, session: string | null = null, browser: BrowserContextOptions = {}) =>
  server.openScreen(path, { session, browser })

const enrol = () => enrolAuthenticator(server.instance, workspace.ownerSession)
const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const waitForWorkspace = (page: Page) => page.getByRole('button', { name: /^Signed in as/ }).waitFor()

describe('signing in with an authenticator app', () => {
  for (const [width, options] of [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const) {
    test(`asks for the code in place, and sends it with the sixth digit, on ${width}`, async () => {
      const app = await enrol()
      const tab = await openPage('/sign-in', null, options)
      const { page } = tab
      await signIn(page, username)
      await expectFocus(page, 'code')
      expect(await codeField(page).getAttribute('autocomplete')).toBe('one-time-code')
      expect(await codeField(page).getAttribute('inputmode')).toBe('numeric')
      await page.keyboard.type(wrong(app.showCode()))
      await page.getByText('Code is not correct, or was already used: enter the next one.').waitFor()
      // As it is copied from an app that shows a space.
      await codeField(page).fill(app.showCode().replace(/^(...)/, '$1 '))
      await waitForWorkspace(page)
      await expectNoPageErrors(tab)
    })
  }

  test('accepts a recovery code instead', async () => {
    const app = await enrol()
    const { page } = await openPage('/sign-in')
    await signIn(page, username)
    await pressButton(page, 'Use a recovery code')
    await expectFocus(page, 'recoveryCode')
    await page.keyboard.type(app.recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await waitForWorkspace(page)
  })

  /** Sets a new password with a link of an operator. */
  async function setPasswordWithLink(password: string) {
    const operator = await server.instance.session(await server.instance.account('link operator', true))
    const { body } = await server.instance.request('POST', '/admin/api/accounts/link', {
      session: operator,
      body: { id: workspace.ownerId },
    })
    const tab = await openPage(`/sign-in/password#${body.link.token}`)
    await fillIn(tab.page, { 'New password': password })
    await pressButton(tab.page, 'Set password')
    await tab.page.getByText('Your new password is set. Confirm that it is you.').waitFor()
    return tab
  }

  test('follows a new password that was set with a link, without asking for the password again', async () => {
    const app = await enrol()
    const tab = await setPasswordWithLink('four words that I chose')
    const { page } = tab
    await expectFocus(page, 'code')
    await page.keyboard.type(app.showCode())
    await waitForWorkspace(page)
    await expectNoPageErrors(tab)
  })

  test('asks for the new password once the sign-in with the link has expired', async () => {
    const app = await enrol()
    const { page } = await setPasswordWithLink('four words that I chose')
    server.instance.clock.advance(10 * MINUTE)
    await codeField(page).fill(app.showCode())
    await page.getByText('Your new password is set. Sign in with it and with your second factor.').waitFor()
    await fillIn(page, { Username: username, Password: 'four words that I chose' })
    await page.keyboard.press('Enter')
    await codeField(page).fill(app.showCode())
    await waitForWorkspace(page)
  })

  test('returns to the password once the sign-in has expired', async () => {
    const app = await enrol()
    const { page } = await openPage('/sign-in')
    await signIn(page, username)
    await codeField(page).waitFor()
    server.instance.clock.advance(10 * MINUTE)
    await codeField(page).fill(app.showCode())
    await page.getByText('That took too long. Enter your password again.').waitFor()
    await signIn(page, username)
    await codeField(page).fill(app.showCode())
    await waitForWorkspace(page)
  })

  test('works in the dialog over a page whose session has ended, which keeps what was typed', async () => {
    const app = await enrol()
    const tab = await openPage('/workspaces/new', workspace.ownerSession)
    const { page } = tab
    await waitForHeading(page, 'Create a workspace')
    await fillIn(page, { 'Group name': 'Owls of the north' })
    await server.instance.db.write((tx) => endAccountSessions(tx, workspace.ownerId))
    await pressButton(page, 'Create workspace')
    await page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' }).waitFor()
    await fillIn(page, { Password: PASSWORD })
    await page.keyboard.press('Enter')
    await codeField(page).fill(app.showCode())
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectSettled(() => readField(page, 'Group name'), 'Owls of the north')
    await expectNoPageErrors(tab)
  })
})

describe('adding an authenticator app', () => {
  for (const [width, options] of [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const) {
    test(`shows its key, confirms a code, and shows ten recovery codes once, on ${width}`, async () => {
      const tab = await openPage('/account', workspace.ownerSession, options)
      const { page } = tab
      await pressButton(page, 'Add an app')
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
      const secret = (await readField(page, 'Key to enter in the app')).replaceAll(' ', '')
      const showCode = () => readAuthenticator(secret, server.instance.clock.now())
      await codeField(page).fill(wrong(showCode()))
      await page.getByText(/^Code is not correct: check that the app shows this account/).waitFor()
      await codeField(page).fill(showCode())
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
      await expectSettled(() => codes.count(), 10)
      const [first = ''] = await codes.allTextContents()
      const link = page.getByRole('link', { name: 'Download' })
      expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toContain(first)
      await page.keyboard.press('Escape')
      expect(await codes.count()).toBe(10)
      await pressButton(page, 'I have stored them')
      await page.getByText('10 of 10 left').waitFor()
      await page.reload()
      await page.getByText('10 of 10 left').waitFor()
      expect(await page.content()).not.toContain(first)
      await expectNoPageErrors(tab)
      server.instance.clock.advance(TOTP_STEP_MS)
      const other = await openPage('/sign-in', null, options)
      await signIn(other.page, username)
      await codeField(other.page).fill(showCode())
      await waitForWorkspace(other.page)
    })
  }

  test('is undone by removing it, after which the password is enough', async () => {
    await enrol()
    const { page } = await openPage('/account', workspace.ownerSession)
    await pressButton(page, 'Remove the authenticator app')
    await pressButton(page, 'Remove app')
    await page.getByText('Authenticator app removed.').waitFor()
    await page.getByRole('button', { name: 'Add an app' }).waitFor()
    const other = await openPage('/sign-in')
    await signIn(other.page, username)
    await waitForWorkspace(other.page)
  })

  test('warns when few recovery codes are left, and replaces them', async () => {
    await enrol()
    const codes = await server.instance.storage.query<{ code_hash: unknown }>('select * from recovery_code')
    expect(codes).toHaveLength(10)
    await server.instance.storage.query(
      'delete from recovery_code where code_hash in (select code_hash from recovery_code order by code_hash limit 8)',
    )
    const { page } = await openPage('/account', workspace.ownerSession)
    await page.getByText('2 of 10 left').waitFor()
    await page.getByText('Few recovery codes are left.').waitFor()
    await pressButton(page, 'Create new codes')
    await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
    await pressButton(page, 'I have stored them')
    await page.getByText('10 of 10 left').waitFor()
  })
})

describe('a sensitive action ten minutes after the sign-in', () => {
  /** A session of the owner that has to be verified. */
  async function startSession(proof?: { readonly code: string }): Promise<string> {
    const { request, clock } = server.instance
    const first = await request('POST', '/portal/api/sign-in', { body: { username, password: PASSWORD } })
    const response = proof
      ? await request('POST', '/portal/api/sign-in/second-factor', {
          body: { token: first.body.secondFactor.token, ...proof },
        })
      : first
    clock.advance(10 * MINUTE)
    return readSessionToken(response)
  }
  const openKeyForm = async (session: string, options: BrowserContextOptions = {}) => {
    const tab = await openPage(`/w/${workspace.id}/configuration/api/keys`, session, options)
    await pressButton(tab.page, 'New key')
    await fillIn(tab.page, { Name: 'Night server' })
    return tab
  }

  for (const [width, options] of [
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ] as const) {
    test(`asks for the password in place, and then does what was asked for, on ${width}`, async () => {
      const tab = await openKeyForm(await startSession(), options)
      const { page } = tab
      await pressButton(page, 'Create key')
      await dialog(page).waitFor()
      await expectFocus(page, 'password')
      await page.keyboard.type('not the password')
      await page.keyboard.press('Enter')
      await dialog(page).getByText('Your password is not your current password.').waitFor()
      await dialog(page).getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('The key “Night server” is ready').waitFor()
      expect(await dialog(page).count()).toBe(0)
      await expectNoPageErrors(tab)
    })
  }

  test('is not done after Escape, which keeps the form and what was typed in it', async () => {
    const { page } = await openKeyForm(await startSession())
    await pressButton(page, 'Create key')
    await dialog(page).waitFor()
    await expectFocus(page, 'password')
    await page.keyboard.press('Escape')
    await page.getByText('Nothing was done, because you did not confirm that it is you.').waitFor()
    expect(await readField(page, 'Name')).toBe('Night server')
    await pressButton(page, 'Create key')
    await dialog(page).getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The key “Night server” is ready').waitFor()
  })

  test('asks for the code of the authenticator app instead, if there is one', async () => {
    const app = await enrol()
    const { page } = await openKeyForm(await startSession({ code: app.showCode() }))
    await pressButton(page, 'Create key')
    await expectFocus(page, 'code')
    await page.keyboard.type(app.showCode())
    await page.getByText('The key “Night server” is ready').waitFor()
  })

  test('is asked about before a download too', async () => {
    const { page } = await openPage(`/w/${workspace.id}/audit`, await startSession())
    await page.getByRole('link', { name: 'CSV' }).click()
    await dialog(page).getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toEndWith('.csv')
  })
})
