import { describe, expect, test } from 'bun:test'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  expectSettled,
  fillIn,
  pressButton,
  readField,
  readFieldNote,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function openAccount() {
  const server = await e2e.startServer()
  const { session } = await server.setUp()
  const tab = await e2e.openScreen('/account', { session })
  await waitForHeading(tab.page, 'Your account')
  return { server, session, tab, page: tab.page }
}

test('an account without a password is told who can set one, instead of being asked for it', async () => {
  const { page } = await openAccount()
  await page.getByLabel('Current password').waitFor()
  await page.route('**/portal/api/me', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), hasPassword: 'false' } })
  })
  await page.reload()
  await page.getByText('Your account has no password. An operator of this instance can set one.').waitFor()
  expect(await page.getByLabel('Current password').count()).toBe(0)
})

describe('the password', () => {
  const OTHER = 'another long enough secret'

  test('is changed with the current one; the new one signs in, and other sessions end', async () => {
    const { server, tab, page } = await openAccount()
    const otherSession = await server.session()
    await fillIn(page, { 'Current password': PASSWORD, 'New password': OTHER })
    await pressButton(page, 'Change password')
    await page.getByText('Password changed.').waitFor()
    for (const label of ['Current password', 'New password'])
      await expectSettled(() => readField(page, label), '')
    expect((await server.request('GET', '/portal/api/me', { session: otherSession })).status).toBe(401)
    expect(await server.session(OWNER, OTHER)).not.toBe('')
    await page.reload()
    await waitForHeading(page, 'Your account')
    await expectNoPageErrors(tab)
  })

  test('is not changed without the current one, nor to one that is too short; the input stays', async () => {
    const { server, page } = await openAccount()
    await fillIn(page, { 'Current password': 'not the password', 'New password': OTHER })
    await pressButton(page, 'Change password')
    await page
      .getByText(/^Current password /)
      .last()
      .waitFor()
    expect((await readFieldNote(page, 'Current password'))[0]).toBe('true')
    await expectSettled(() => readField(page, 'New password'), OTHER)
    await fillIn(page, { 'Current password': PASSWORD, 'New password': 'short' })
    await pressButton(page, 'Change password')
    await page.getByText('New password must be 10 to 200 characters.').waitFor()
    expect(await server.session(OWNER, PASSWORD)).not.toBe('')
  })
})

describe('active sessions', () => {
  test('show device and IP address, and each other session can be ended', async () => {
    const { server, session, tab, page } = await openAccount()
    const otherTab = await e2e.openScreen('/', { browser: { userAgent: FIREFOX } })
    await fillIn(otherTab.page, { Username: OWNER, Password: PASSWORD })
    await pressButton(otherTab.page, 'Sign in')
    await otherTab.page.getByRole('button', { name: /^Signed in as/ }).waitFor()
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Firefox on Linux' })
    await row.getByText('127.0.0.1').waitFor()
    await row.getByRole('button', { name: /^End the session/ }).click()
    const dialog = page.getByRole('dialog', { name: 'End the session on Firefox on Linux?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await server.requestOk('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(2)
    await row.getByRole('button', { name: /^End the session/ }).click()
    await dialog.getByRole('button', { name: 'End session' }).click()
    await page.getByText('Session ended.').waitFor()
    await row.waitFor({ state: 'detached' })
    expect((await server.requestOk('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(1)
    await expectNoPageErrors(tab)
  })

  test('are all ended except the current one', async () => {
    const { server, session, page } = await openAccount()
    for (let more = 0; more < 3; more++) await server.session()
    await page.reload()
    await pressButton(page, 'End all others')
    await pressButton(page, 'End other sessions')
    await page.getByText('3 sessions ended.').waitFor()
    expect((await server.requestOk('GET', '/portal/api/sessions', { session })).body.sessions).toHaveLength(1)
    await page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  })
})
