import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, openTab } from '../support/browser.ts'
import { fillIn, pressButton, waitForHeading } from '../support/page-actions.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

// Browsers treat 127.0.0.1 like https, but not this name, nor an address in a local network.
const ORIGIN = 'http://staff.test'

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

test('over plain http, changes are saved and confirmed', async () => {
  const tab = await openScreen('/departments', 'Departments')
  await pressButton(tab.page, 'New department')
  await fillIn(tab.page, { Name: 'Scouts' })
  await pressButton(tab.page, 'Create department')
  await tab.page.getByText('Created the department “Scouts”.').waitFor()
  expect(await tab.listCspViolations()).toEqual([])
  await tab.close()
})
