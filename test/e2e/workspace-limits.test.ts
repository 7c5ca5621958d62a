import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Browser, openBrowser, openTab } from '../support/browser.ts'
import { WAIT_MS, waitForHeading } from '../support/page-actions.ts'
import { startTestServer } from '../support/server.ts'

setDefaultTimeout(60_000)

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Opens *Create a workspace* as a user on a server with these settings. */
async function withNewWorkspaceScreen(
  env: Record<string, string>,
  username: string | null,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(env)
  const owner = await server.setUp()
  if (username !== null) await server.createAccount(username)
  const session = username === null ? owner.session : await server.session(username)
  const tab = await openTab(browser.reused, `${server.origin}/workspaces/new`, {}, [server.cookie(session)])
  tab.page.setDefaultTimeout(WAIT_MS)
  try {
    await waitForHeading(tab.page, 'Create a workspace')
    await check(tab.page)
  } finally {
    await tab.close()
    await server.close()
  }
}

test('a user who owns as many workspaces as allowed sees the limit and who can raise it instead of the form', () =>
  withNewWorkspaceScreen({ REEVE_WORKSPACES_PER_ACCOUNT: '1' }, null, async (page) => {
    await page.getByText('The limit is 1 workspace per account').waitFor()
    await page.getByText('ask an operator of this instance to raise the limit').waitFor()
    expect(await page.getByRole('button', { name: 'Create workspace' }).count()).toBe(0)
  }))

test('where only operators create workspaces, others are told to ask one, and no link leads there', () =>
  withNewWorkspaceScreen({ REEVE_WORKSPACE_CREATION: 'operators' }, 'wren', async (page) => {
    await page.getByText('Only operators create workspaces here').waitFor()
    await page.getByRole('link', { name: 'Your workspaces' }).first().click()
    await page.getByText('an operator of this instance to create one').waitFor()
    expect(await page.getByRole('link', { name: 'Create a workspace' }).count()).toBe(0)
  }))
