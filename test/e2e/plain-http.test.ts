import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { readSecret } from '../support/api-keys.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  expectFocus,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  waitForHeading,
} from '../support/page-actions.ts'
import { GROUP, OWNER, startTestServer, type TestServer } from '../support/server.ts'

// Browsers treat 127.0.0.1 like https, but not this name, nor an address in a local network.
const ORIGIN = 'http://staff.test'
const KEYS = '/configuration/api/keys'

setDefaultTimeout(60_000)

let server: TestServer
let browser: Browser
let owner: Awaited<ReturnType<TestServer['setUp']>>

beforeAll(async () => {
  server = await startTestServer({ REEVE_PUBLIC_URL: ORIGIN })
  owner = await server.setUp()
  browser = await launchBrowser([`--host-resolver-rules=MAP staff.test ${new URL(server.origin).host}`])
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a page of the workspace over plain http. */
async function openScreen(path: string, heading: string) {
  const cookie = { name: 'reeve_session', value: owner.session, url: ORIGIN, httpOnly: true }
  const tab = await openTab(browser, `${ORIGIN}/w/${owner.workspaceId}${path}`, {}, [cookie])
  await waitForHeading(tab.page, heading)
  expect(await tab.page.evaluate<boolean>('isSecureContext')).toBe(false)
  return tab
}

/** Creates a key. @returns its secret, which is shown once */
async function createKey(page: Page, name: string): Promise<string> {
  await pressButton(page, 'New key')
  await fillIn(page, { Name: name })
  await pressButton(page, 'Create key')
  return readSecret(page)
}

test('over plain http, changes are saved and confirmed', async () => {
  const tab = await openScreen('/departments', 'Departments')
  await pressButton(tab.page, 'New department')
  await fillIn(tab.page, { Name: 'Scouts' })
  await pressButton(tab.page, 'Create department')
  await tab.page.getByText('Created the department “Scouts”.').waitFor()
  expect(await tab.listCspViolations()).toEqual([])
  await tab.close()
})

describe('over plain http, a secret that is shown once', () => {
  test('is copied with one click, which is announced', async () => {
    const tab = await openScreen(KEYS, 'API keys')
    const { page } = tab
    const secret = await createKey(page, 'Main server')
    await pressButton(page, 'Copy: API key')
    await page.getByRole('button', { name: 'Copied: API key' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Copied: API key' }).waitFor({ state: 'attached' })
    await expectFocus(page, 'Copied: API key')
    await pressButton(page, 'I have stored it')
    await pressButton(page, 'New key')
    await page.getByLabel('Name', { exact: true }).press('Control+V')
    await expectSettled(() => readField(page, 'Name'), secret)
    await tab.close()
  })

  test('is shown selected, with what to do, if the browser does not allow that either', async () => {
    const tab = await openScreen(KEYS, 'API keys')
    const { page } = tab
    await page.evaluate('document.execCommand = () => false')
    const secret = await createKey(page, 'Second server')
    await pressButton(page, 'Copy: API key')
    const dialog = page.getByRole('dialog', { name: 'Copy the text' })
    await dialog.getByText('Your browser does not allow copying here: select the text and copy it.').waitFor()
    await expectSettled(() => page.evaluate<string>('getSelection().toString()'), secret)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expectSettled(() => readSecret(page), secret)
    await tab.close()
  })
})

test('over plain http, Reeve is set up and used at an address that nobody has set', async () => {
  const unset = await startTestServer()
  const { hostname, port } = new URL(unset.origin)
  const local = await launchBrowser([`--host-resolver-rules=MAP nas.test ${hostname}`])
  const { page, close } = await openTab(local, `http://nas.test:${port}/`)
  await waitForHeading(page, 'Set up Reeve')
  await fillIn(page, { Code: unset.code, Username: OWNER, Password: PASSWORD, 'Group name': GROUP })
  await pressButton(page, 'Set up')
  const user = page.getByRole('button', { name: `Signed in as ${OWNER}` })
  await user.waitFor()
  await page.context().clearCookies()
  await page.goto(`http://nas.test:${port}/`)
  await waitForHeading(page, 'Sign in')
  await fillIn(page, { Username: OWNER, Password: PASSWORD })
  await pressButton(page, 'Sign in')
  await user.waitFor()
  await close()
  await local.close()
  await unset.close()
})
