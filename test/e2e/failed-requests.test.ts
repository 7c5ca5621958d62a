import { describe, expect, test } from 'bun:test'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import { expectSettled, fillIn, pressButton, readField, waitForHeading } from '../support/page-actions.ts'

const e2e = useSession(openE2eSessionPerTest)

async function openAsOwner(path: string) {
  const server = await e2e.startServer()
  const { session } = await server.setUp()
  const tab = await e2e.openScreen(path, { session })
  return { server, session, tab, page: tab.page }
}

describe('a failed request', () => {
  test('shows a server error with a retry button and the request id', async () => {
    const { page } = await openAsOwner('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    const rejection = {
      error: 'Internal error. Try again.',
      code: 'internal_error',
    }
    await page.route('**/portal/api/sessions*', (route) =>
      route.fulfill({ status: 500, json: { ...rejection, requestId: 'request-77' } }),
    )
    await page.getByRole('link', { name: 'Your account' }).first().click()
    await page.getByText('Could not load this').waitFor()
    await page.getByText(rejection.error).waitFor()
    await page.getByText('request-77').waitFor()
    await page.unroute('**/portal/api/sessions*')
    await pressButton(page, 'Try again')
    await page.getByText('This device', { exact: true }).waitFor()
  })

  test('shows that the browser is offline, and can be repeated once online', async () => {
    const { tab, page } = await openAsOwner('/account')
    await page.getByText('This device', { exact: true }).waitFor()
    await tab.context.setOffline(true)
    await fillIn(page, { 'Current password': PASSWORD, 'New password': 'another long enough secret' })
    await pressButton(page, 'Change password')
    await page
      .locator('#password')
      .getByRole('alert')
      .getByText('You are offline. Try again once you are connected.')
      .waitFor()
    await expectSettled(() => readField(page, 'New password'), 'another long enough secret')
    await tab.context.setOffline(false)
    await pressButton(page, 'Change password')
    await page.getByText('Password changed.').waitFor()
  })

  test.each(['offline', 'unreachable'])(
    'for the code of a screen is said on the screen while the server is %s, and can be repeated',
    async (state) => {
      const { tab, page } = await openAsOwner('/workspaces')
      await waitForHeading(page, 'Your workspaces')
      if (state === 'offline') await tab.context.setOffline(true)
      else await page.route('**/*', (route) => route.abort())
      await page.getByRole('link', { name: 'Your account' }).first().click()
      await page
        .getByText(state === 'offline' ? 'You are offline. Try again once' : 'Reeve cannot be reached.')
        .waitFor()
      const retried = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/healthz'))
      await pressButton(page, 'Try again')
      await retried
      await page.getByText('This page could not be loaded').waitFor()
      await tab.context.setOffline(false)
      await page.unroute('**/*')
      await pressButton(page, 'Try again')
      await waitForHeading(page, 'Your account')
    },
  )

  test('for the code of a screen that a newer version has replaced loads the page again', async () => {
    const { page } = await openAsOwner('/workspaces')
    await waitForHeading(page, 'Your workspaces')
    await page.route('**/assets/account-*', (route) => route.fulfill({ status: 404 }))
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Your account' }).first().click()
    await reloaded
    await page.unroute('**/assets/account-*')
    await page.reload()
    await waitForHeading(page, 'Your account')
  })

  test('for the signed-in user, while the page loads, can be retried', async () => {
    const { page } = await openAsOwner('/account')
    await waitForHeading(page, 'Your account')
    await page.route('**/portal/api/me', (route) => route.abort())
    await page.reload()
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.unroute('**/portal/api/me')
    await pressButton(page, 'Try again')
    await waitForHeading(page, 'Your account')
  })
})

test('a write whose response was lost has one effect, however often it is retried', async () => {
  const { server, session, page } = await openAsOwner('/workspaces/new')
  await fillIn(page, { 'Group name': 'Owls' })
  const keys: string[] = []
  let isLost = true
  await page.route('**/api/workspaces', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (!isLost) return route.continue()
    // The request reaches the server, but its response is lost.
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await pressButton(page, 'Create workspace')
  await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
  await pressButton(page, 'Create workspace')
  await page.getByRole('button', { name: /^Owls/ }).waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[0]).not.toBe('')
  expect(keys[1]).toBe(keys[0] ?? '')
  const { body } = await server.requestOk('GET', '/portal/api/me', { session })
  const names = body.workspaces.map(({ groupName }: { groupName: string }) => groupName)
  expect(names.filter((name: string) => name === 'Owls')).toHaveLength(1)
})
