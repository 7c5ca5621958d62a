import { describe, expect, test } from 'bun:test'
import type { Tab } from '../support/browser.ts'
import { openE2eSessionPerTest, useSession } from '../support/e2e-session.ts'
import { PASSWORD } from '../support/instance.ts'
import {
  chooseInUserMenu,
  expectFocus,
  expectSettled,
  fillIn,
  pressButton,
  readField,
  WAIT_MS,
  waitForHeading,
} from '../support/page-actions.ts'
import { expectNoPageErrors } from '../support/page-errors.ts'
import { GROUP, OWNER, type TestServer } from '../support/server.ts'

const e2e = useSession(openE2eSessionPerTest)

/** Ends every other session of the owner. */
async function endOtherSessions(server: TestServer, session: string): Promise<void> {
  const { body } = await server.requestOk('GET', '/portal/api/sessions', { session })
  const others = body.sessions.filter(({ current }: { current: string }) => current === 'false')
  expect(others.length).toBeGreaterThan(0)
  for (const { id } of others) await server.requestOk('DELETE', `/portal/api/sessions?id=${id}`, { session })
}

/** Signs the owner in twice: through the API, and in a browser. */
async function openWithSecondSession(path: string) {
  const server = await e2e.startServer()
  const { session, workspaceId } = await server.setUp()
  const tab = await e2e.openScreen(path, { session: await server.session() })
  return { server, session, workspaceId, tab, page: tab.page }
}

/** Opens another tab of the same browser. */
async function openTabOf({ context }: Tab, url: string) {
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(url)
  return { page }
}

const signInAgainHeading = (page: Awaited<ReturnType<typeof openWithSecondSession>>['page']) =>
  page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' })

describe('a session that ended elsewhere', () => {
  test('shows the sign-in dialog over the page, whose input is kept', async () => {
    const { server, session, tab, page } = await openWithSecondSession('/workspaces/new')
    await waitForHeading(page, 'Create a workspace')
    await fillIn(page, { 'Group name': 'Owls of the north' })
    // The dialog and what keeps the focus are loaded with the first key.
    await page.keyboard.press('Shift')
    await expectSettled(() => readField(page, 'Group name'), 'Owls of the north')
    await endOtherSessions(server, session)
    await pressButton(page, 'Create workspace')
    await signInAgainHeading(page).waitFor()
    await expectSettled(() => page.title(), 'Sign in again · Reeve')
    await expectSettled(() => readField(page, 'Username'), OWNER)
    await expectFocus(page, 'password')
    await expectSettled(() => page.getByRole('heading', { name: 'Create a workspace' }).isVisible(), true)
    await page.keyboard.press('Escape')
    await signInAgainHeading(page).waitFor()
    await page.keyboard.type(`${PASSWORD}!`)
    await page.keyboard.press('Enter')
    await page.getByText('The username or password is incorrect.').waitFor()
    await fillIn(page, { Password: PASSWORD })
    await page.keyboard.press('Enter')
    await signInAgainHeading(page).waitFor({ state: 'detached' })
    await expectSettled(() => readField(page, 'Group name'), 'Owls of the north')
    // The button that was pressed has the focus again.
    await expectFocus(page, 'Create workspace')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Owls of the north/ }).waitFor()
    await expectNoPageErrors(tab)
  })

  test('is noticed when the page becomes visible again', async () => {
    const { server, session, page } = await openWithSecondSession('/account')
    await waitForHeading(page, 'Your account')
    await endOtherSessions(server, session)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await signInAgainHeading(page).waitFor()
  })

  test('shows nothing of the previous user’s data to another user who signs in', async () => {
    const { server, session, page } = await openWithSecondSession('/account')
    await server.createAccount('kim')
    await waitForHeading(page, 'Your account')
    await endOtherSessions(server, session)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await signInAgainHeading(page).waitFor()
    await fillIn(page, { Username: 'kim', Password: PASSWORD })
    await pressButton(page, 'Sign in')
    await page.getByText('You are not a member of any workspace yet').waitFor()
    await page.getByRole('button', { name: /^Signed in as kim/ }).waitFor()
  })

  test('says so in plain words, and stops every request until the user signs in again', async () => {
    const { server, session, workspaceId, tab, page } = await openWithSecondSession('/operator/instance')
    const { page: events } = await openTabOf(tab, `${server.origin}/w/${workspaceId}/events`)
    await waitForHeading(page, 'Health')
    await waitForHeading(events, 'Events')
    for (const each of [page, events]) await each.clock.install()
    await endOtherSessions(server, session)
    await events.bringToFront()
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    for (const each of [page, events]) {
      await signInAgainHeading(each).waitFor()
      await each.getByText(/^Your session was ended: .* Sign in to continue where you were\./).waitFor()
      expect(await each.textContent('body')).not.toMatch(/bearer|API key as|Unknown session/)
    }
    const sentUrls: string[] = []
    const errorCount = tab.pageErrors.length
    // Code that a page loads ahead of time is no request for data, and may come at any moment.
    const addUrl = (url: string) => url.includes('/portal/assets/') || sentUrls.push(url)
    for (const each of [page, events]) each.on('request', (request) => addUrl(request.url()))
    for (const each of [page, events]) {
      await each.clock.runFor(180_000)
      await each.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
      await each.evaluate("window.dispatchEvent(new Event('online'))")
      await each.clock.runFor(60_000)
    }
    expect(sentUrls).toEqual([])
    expect(tab.pageErrors.length).toBe(errorCount)
    await fillIn(page, { Password: PASSWORD })
    await pressButton(page, 'Sign in')
    for (const each of [page, events]) await signInAgainHeading(each).waitFor({ state: 'detached' })
    await page.getByText('Database').first().waitFor()
    expect(new URL(events.url()).pathname).toBe(`/w/${workspaceId}/events`)
  })

  test('removes the data of the page after five minutes, and shows it again after signing in', async () => {
    const { server, session, workspaceId, page } = await openWithSecondSession('/account')
    await server.requestOk('POST', '/api/departments', {
      session,
      body: { workspaceId, name: 'Night watch' },
    })
    await page.goto(`${server.origin}/w/${workspaceId}/departments`)
    await page.getByText('Night watch').first().waitFor()
    await page.clock.install()
    await endOtherSessions(server, session)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await signInAgainHeading(page).waitFor()
    await page.clock.runFor(4 * 60_000)
    await page.getByText('What you have typed is kept for 5 minutes.').waitFor()
    expect(await page.content()).toContain('Night watch')
    await page.clock.runFor(60_000)
    await page.getByText('The page has been cleared').waitFor()
    for (const text of ['Night watch', GROUP]) expect(await page.content()).not.toContain(text)
    await page.clock.resume()
    await fillIn(page, { Username: OWNER, Password: PASSWORD })
    await pressButton(page, 'Sign in')
    await page.getByText('Night watch').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${workspaceId}/departments`)
  })

  test('in one tab ends in the other tabs too, where another user does not get its pages', async () => {
    const { server, workspaceId, tab, page } = await openWithSecondSession('/account')
    await server.createAccount('kim')
    const { page: other } = await openTabOf(tab, `${server.origin}/w/${workspaceId}/people`)
    await waitForHeading(other, 'People')
    await waitForHeading(page, 'Your account')
    // The other tab notices that the session has ended before this one has the response.
    await page.route('**/portal/api/sign-out', async (route) => {
      const response = await route.fetch()
      await signInAgainHeading(other).waitFor()
      await route.fulfill({ response })
    })
    await chooseInUserMenu(page, 'Sign out')
    await waitForHeading(page, 'Sign in')
    await other.getByText(/^You signed out in another tab\./).waitFor()
    await fillIn(page, { Username: 'kim', Password: PASSWORD })
    await pressButton(page, 'Sign in')
    await page.getByText('You are not a member of any workspace yet').waitFor()
    await other.getByText('You are not a member of any workspace yet').waitFor()
    await other.getByRole('button', { name: /^Signed in as kim/ }).waitFor()
  })

  test('shows a write that was too late, which succeeds after signing in', async () => {
    const { server, session, page } = await openWithSecondSession('/workspaces/new')
    await fillIn(page, { 'Group name': 'Owls' })
    await endOtherSessions(server, session)
    await pressButton(page, 'Create workspace')
    await signInAgainHeading(page).waitFor()
    await fillIn(page, { Password: PASSWORD })
    await pressButton(page, 'Sign in')
    await page.getByText('Your session had ended, so nothing was saved. Sign in, then try again.').waitFor()
    await pressButton(page, 'Create workspace')
    await page.getByRole('button', { name: /^Owls/ }).waitFor()
  })

  test('leads to the sign-in form on the next load, and back to the page afterwards', async () => {
    const { server, session, tab, page } = await openWithSecondSession('/account')
    await waitForHeading(page, 'Your account')
    await endOtherSessions(server, session)
    await page.reload()
    await waitForHeading(page, 'Sign in')
    await fillIn(page, { Username: OWNER, Password: PASSWORD })
    await pressButton(page, 'Sign in')
    await waitForHeading(page, 'Your account')
    await expectNoPageErrors(tab)
  })
})

test('the sign-in page says who can set a new password, without a request that would tell whether an account exists', async () => {
  const server = await e2e.startServer()
  await server.setUp()
  const { page, requestedUrls } = await e2e.openScreen('/sign-in', { heading: 'Sign in' })
  await page
    .getByText('Forgot your password? An operator of this instance can send you a link to set a new one.')
    .waitFor()
  expect(requestedUrls.filter((url) => url.includes('/portal/api/'))).toEqual([])
})
