import { describe, expect, test } from 'bun:test'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  chooseInUserMenu,
  expectFocus,
  expectSettled,
  pressButton,
  readField,
  signIn,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

/** Opens the portal of an instance that is set up. */
async function openAfterSetUp(path = '/') {
  const server = await e2e.startServer()
  const owner = await server.setUp()
  return { server, ...owner, tab: await e2e.openScreen(path) }
}

describe('signing in and out', () => {
  test('the right password signs in, and signing out leaves no data behind', async () => {
    const { tab, server, workspaceId } = await openAfterSetUp()
    const { page, context } = tab
    await signIn(page)
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    expect(await context.cookies()).toMatchObject([
      { name: 'reeve_session', httpOnly: true, sameSite: 'Lax' },
      { name: 'reeve_device', httpOnly: true, sameSite: 'Lax' },
    ])
    await chooseInUserMenu(page, 'Sign out')
    await waitForHeading(page, 'Sign in')
    // It names nobody: the next sign-in here is not from a new device.
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['reeve_device'])
    await expectFocus(page, 'username')
    expect([await readField(page, 'Username'), await readField(page, 'Password')]).toEqual(['', ''])
    expect(await page.textContent('body')).not.toContain(GROUP)
    await page.goto(`${server.origin}/w/${workspaceId}`)
    await waitForHeading(page, 'Sign in')
    expect(await page.textContent('body')).not.toContain(GROUP)
    await expectNoPageErrors(tab)
    expect(tab.pageErrors).toEqual([])
  })

  test('signing out sends no request in the session that ends', async () => {
    const { tab } = await openAfterSetUp()
    const { page } = tab
    await signIn(page)
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    await page.route('**/portal/api/sign-out', async (route) => {
      const response = await route.fetch()
      // A page that becomes visible reads who is signed in, here after the session has ended.
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
      await route.fulfill({ response })
    })
    await chooseInUserMenu(page, 'Sign out')
    await waitForHeading(page, 'Sign in')
    expect(tab.pageErrors).toEqual([])
  })

  test('a wrong password shows an error, and can be corrected', async () => {
    const { tab } = await openAfterSetUp()
    const { page } = tab
    await signIn(page, OWNER, `${PASSWORD}!`)
    await page.getByText('The username or password is incorrect.').waitFor()
    expect([await readField(page, 'Username'), await readField(page, 'Password')]).toEqual([
      OWNER,
      `${PASSWORD}!`,
    ])
    await expectFocus(page, 'password')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    await expectNoPageErrors(tab)
  })

  test('works by keyboard alone, with a visible focus', async () => {
    const { tab } = await openAfterSetUp()
    const { page } = tab
    await waitForHeading(page, 'Sign in')
    await expectFocus(page, 'username')
    await page.keyboard.type(OWNER)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expectSettled(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Signed in as robin/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('End')
    await expectFocus(page, 'Sign out')
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Sign in')
    await expectFocus(page, 'username')
    await expectNoPageErrors(tab)
  })

  test('the button is disabled while the request runs', async () => {
    const { tab } = await openAfterSetUp()
    const { page, requestedUrls } = tab
    const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
    await page.route('**/portal/api/sign-in', async (route) => {
      await unblocked
      await route.continue()
    })
    await signIn(page)
    await page.locator('button[data-loading]:disabled').waitFor()
    await page.getByLabel('Password', { exact: true }).press('Enter')
    unblock()
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    expect(requestedUrls.filter((url) => url.endsWith('/portal/api/sign-in'))).toHaveLength(1)
  })

  test('too many attempts show how long to wait', async () => {
    const { tab, server } = await openAfterSetUp()
    const body = { username: OWNER, password: 'wrong' }
    for (let attempt = 0; attempt < 10; attempt++)
      await server.request('POST', '/portal/api/sign-in', { body })
    await signIn(tab.page)
    await tab.page.getByText(/^Too many failed attempts\. Try again in 1[45] minutes\.$/).waitFor()
  })

  test('offline shows an error, and works once online', async () => {
    const { tab } = await openAfterSetUp()
    const { page, context } = tab
    await waitForHeading(page, 'Sign in')
    await context.setOffline(true)
    await signIn(page)
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await expectSettled(() => readField(page, 'Password'), PASSWORD)
    await context.setOffline(false)
    await pressButton(page, 'Sign in')
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
  })

  test('a response from a proxy is reported as unexpected', async () => {
    const { tab } = await openAfterSetUp()
    const { page } = tab
    await page.route('**/portal/api/sign-in', (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad gateway' }),
    )
    await signIn(page)
    await page.getByText('Unexpected response from the server (502). Try again in a moment.').waitFor()
  })

  test('returns to the requested page, and never redirects to another host', async () => {
    const { tab, server, workspaceId } = await openAfterSetUp('/account?from=a%20mail')
    const { page } = tab
    await waitForHeading(page, 'Sign in')
    await signIn(page)
    await waitForHeading(page, 'Your account')
    expect(page.url()).toEndWith('/account?from=a+mail')
    for (const to of ['//elsewhere.example/', '/\\elsewhere.example', 'https://elsewhere.example/']) {
      const other = await e2e.openScreen(`/sign-in?${new URLSearchParams({ to })}`)
      await signIn(other.page)
      await other.page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
      const { origin, pathname } = new URL(other.page.url())
      expect([origin, pathname]).toEqual([server.origin, `/w/${workspaceId}`])
      expect(other.listCrossOriginRequests()).toEqual([])
      await other.close()
    }
  })
})

test('the sign-in form loads at most 200 KB of compressed script', async () => {
  const server = await e2e.startServer()
  await server.setUp()
  const { page, requestedUrls } = await e2e.openScreen('/')
  await waitForHeading(page, 'Sign in')
  await page.evaluate('new Promise((idle) => requestIdleCallback(idle))')
  const scripts = [...new Set(requestedUrls.filter((url) => url.endsWith('.js')))]
  expect(scripts.map((url) => /\/assets\/([a-z-]+)-[\w-]{8}\.js$/.exec(url)?.[1]).sort()).toEqual([
    'forms',
    'main',
    'sign-in',
  ])
  let size = 0
  for (const url of scripts) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    size += (await response.arrayBuffer()).byteLength
  }
  expect(size).toBeGreaterThan(50_000)
  expect(size).toBeLessThan(200 * 1024)
})

test('without JavaScript the page says that it needs it, and shows no form', async () => {
  const { page } = await e2e.openScreen('/', { browser: { javaScriptEnabled: false } })
  await page.locator('noscript p').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
})
