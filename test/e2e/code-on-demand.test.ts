import { describe, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { pressButton, waitForHeading, waitUntil } from '../support/page-actions.ts'

const e2e = useSession(openE2eSessionPerTest)

/** Opens a page of a workspace whose server has replaced some files, or cannot be reached for them. */
async function openWithout(files: string, path: string, state: 'updated' | 'unreachable') {
  const server = await e2e.startServer()
  const { session, workspaceId } = await server.setUp()
  // A page without scripts, which would load them early.
  const { page, context } = await e2e.openScreen('/healthz', { session })
  const urls = state === 'updated' ? [files] : [files, '**/healthz']
  for (const url of urls)
    await page.route(url, (route) => (state === 'updated' ? route.fulfill({ status: 404 }) : route.abort()))
  await page.goto(`${server.origin}/w/${workspaceId}${path}`)
  return {
    server,
    session,
    page,
    context,
    reachServer: async () => {
      for (const url of urls) await page.unroute(url)
    },
  }
}

const showsUpdate = (page: Page) =>
  page.getByRole('alert').getByText('Reeve was updated. Reload the page to continue.').waitFor()

describe('code that a newer version has replaced', () => {
  test.each([
    ['Ban', 'Moderate 261'],
    ['Link a player', 'Link a player to 261'],
  ])('asks to reload the page instead of opening the dialog of “%s”', async (button, title) => {
    const { page, reachServer } = await openWithout(
      '**/assets/moderation-deferred-*',
      '/moderation/players/261',
      'updated',
    )
    await waitForHeading(page, '261')
    await pressButton(page, button)
    await showsUpdate(page)
    await reachServer()
    const reloaded = page.waitForEvent('load')
    await pressButton(page, 'Reload')
    await reloaded
    await pressButton(page, button)
    await page.getByRole('dialog', { name: title }).waitFor()
  })

  test('asks to reload the page in the place of what it shows', async () => {
    const { page, reachServer } = await openWithout('**/assets/audit-deferred-*', '/audit', 'updated')
    await page
      .getByRole('button', { name: /^Changes: / })
      .first()
      .click()
    await showsUpdate(page)
    await waitForHeading(page, 'Audit log')
    await reachServer()
    await pressButton(page, 'Reload')
    await page
      .getByRole('button', { name: /^Changes: / })
      .first()
      .click()
    await page.getByText('Request ID', { exact: true }).waitFor()
  })
})

describe('code that failed to load', () => {
  test('can be tried again in the place of what it shows', async () => {
    const { page, reachServer } = await openWithout('**/assets/audit-deferred-*', '/audit', 'unreachable')
    await page
      .getByRole('button', { name: /^Changes: / })
      .first()
      .click()
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await waitForHeading(page, 'Audit log')
    await reachServer()
    await pressButton(page, 'Try again')
    await page.getByText('Request ID', { exact: true }).waitFor()
  })

  test('can be tried again in the log of the instance', async () => {
    const { server, page, reachServer } = await openWithout(
      '**/assets/audit-deferred-*',
      '/people',
      'unreachable',
    )
    await page.goto(`${server.origin}/operator/audit`)
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .click()
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.getByText(/^Request .* · target /).waitFor()
    await reachServer()
    await pressButton(page, 'Try again')
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor({ state: 'detached' })
  })

  test('is tried again by the page where only the user can sign in again', async () => {
    const { server, session, page, context, reachServer } = await openWithout(
      '**/assets/sign-in-deferred-*',
      '/people',
      'unreachable',
    )
    await waitForHeading(page, 'People')
    await server.requestOk('POST', '/portal/api/sign-out', { session })
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await reachServer()
    await context.setOffline(true)
    await waitUntil(page, '!navigator.onLine')
    await context.setOffline(false)
    await page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' }).waitFor()
  })
})
