import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { OWNER, type Place } from '../support/place.ts'
import { expectFocus, expectSoon, fillIn, heading, press, typedIn } from '../support/portal.ts'
import { expectCalm, openVisits } from '../support/visit.ts'

let visits: Awaited<ReturnType<typeof openVisits>>
beforeAll(async () => {
  visits = await openVisits()
})
afterEach(() => visits.leave())
afterAll(() => visits?.close())

/** Ends every session of the owner but this one. */
async function endAllBut(place: Place, session: string): Promise<void> {
  const { body } = await place.must('GET', '/portal/api/sessions', { session })
  const others = body.sessions.filter(({ current }: { current: string }) => current === 'false')
  expect(others.length).toBeGreaterThan(0)
  for (const { id } of others) await place.must('DELETE', `/portal/api/sessions?id=${id}`, { session })
}

/** Signs the owner in twice: here, and in a browser. */
async function openTwice(path: string) {
  const place = await visits.place()
  const { session, workspaceId } = await place.setUp()
  const opened = await visits.visit(path, await place.session())
  return { place, session, workspaceId, opened, page: opened.page }
}

const again = (page: Awaited<ReturnType<typeof openTwice>>['page']) =>
  page.getByRole('dialog').getByRole('heading', { name: 'Sign in again' })

describe('a session that ended elsewhere', () => {
  test('is covered by the sign-in form, and what was typed is there again after it', async () => {
    const { place, session, opened, page } = await openTwice('/workspaces/new')
    await heading(page, 'Create a workspace')
    await fillIn(page, { 'Group name': 'Owls of the north' })
    await endAllBut(place, session)
    await press(page, 'Create')
    await again(page).waitFor()
    expect(await page.title()).toBe('Sign in again · Reeve')
    await expectSoon(() => typedIn(page, 'Username'), OWNER)
    await expectFocus(page, 'password')
    await expectSoon(() => page.getByRole('heading', { name: 'Create a workspace' }).isVisible(), true)
    await page.keyboard.press('Escape')
    await again(page).waitFor()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await again(page).waitFor({ state: 'detached' })
    await expectSoon(() => typedIn(page, 'Group name'), 'Owls of the north')
    await press(page, 'Create')
    await page.getByRole('button', { name: /^Owls of the north/ }).waitFor()
    await expectCalm(opened)
  })

  test('is noticed when somebody looks at the page again', async () => {
    const { place, session, page } = await openTwice('/account')
    await heading(page, 'Your account')
    await endAllBut(place, session)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await again(page).waitFor()
  })

  test('shows nothing of what was there to somebody else who signs in', async () => {
    const { place, session, page } = await openTwice('/account')
    await place.account('kim')
    await heading(page, 'Your account')
    await endAllBut(place, session)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await again(page).waitFor()
    await fillIn(page, { Username: 'kim', Password: PASSWORD })
    await press(page, 'Sign in')
    await page.getByText('You belong to no workspace yet').waitFor()
    await page.getByRole('button', { name: /^Signed in as kim/ }).waitFor()
  })

  test('leads to the sign-in form at the next load, and from there back to where the reader was', async () => {
    const { place, session, opened, page } = await openTwice('/account')
    await heading(page, 'Your account')
    await endAllBut(place, session)
    await page.reload()
    await heading(page, 'Sign in')
    await fillIn(page, { Username: OWNER, Password: PASSWORD })
    await press(page, 'Sign in')
    await heading(page, 'Your account')
    await expectCalm(opened)
  })
})

describe('what cannot be read', () => {
  test('is told with a way to try again: a server that fails, with the id to ask for help with', async () => {
    const { page } = await openTwice('/workspaces')
    await heading(page, 'Your workspaces')
    const refusal = {
      error: 'Something went wrong on our side; nothing was changed.',
      code: 'internal_error',
    }
    await page.route('**/portal/api/sessions*', (route) =>
      route.fulfill({ status: 500, json: { ...refusal, requestId: 'request-77' } }),
    )
    await page.getByRole('link', { name: 'Your account' }).first().click()
    await page.getByText('This could not be read').waitFor()
    await page.getByText(refusal.error).waitFor()
    await page.getByText('request-77').waitFor()
    await page.unroute('**/portal/api/sessions*')
    await press(page, 'Try again')
    await page.getByText('This one').waitFor()
  })

  test('is told without a connection, and the page goes on once there is one', async () => {
    const { opened, page } = await openTwice('/account')
    await page.getByText('This one').waitFor()
    await opened.context.setOffline(true)
    await fillIn(page, { 'Present password': PASSWORD, 'New password': 'another long enough secret' })
    await press(page, 'Change the password')
    await page.getByRole('alert').getByText('You are offline. Try again once you are connected.').waitFor()
    await expectSoon(() => typedIn(page, 'New password'), 'another long enough secret')
    await opened.context.setOffline(false)
    await press(page, 'Change the password')
    await page.getByText('Your password is changed.').waitFor()
  })

  test('may be who is signed in, as the page loads', async () => {
    const { page } = await openTwice('/account')
    await heading(page, 'Your account')
    await page.route('**/portal/api/me', (route) => route.abort())
    await page.reload()
    await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
    await page.unroute('**/portal/api/me')
    await press(page, 'Try again')
    await heading(page, 'Your account')
  })
})

test('a write whose answer was lost has one effect, however often it is tried', async () => {
  const { place, session, page } = await openTwice('/workspaces/new')
  await fillIn(page, { 'Group name': 'Owls' })
  const keys: string[] = []
  let isLost = true
  await page.route('**/api/workspaces', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    if (!isLost) return route.continue()
    // It reaches the server, and its answer never comes back.
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Create')
  await page.getByText('Reeve cannot be reached. Try again in a moment.').waitFor()
  await press(page, 'Create')
  await page.getByRole('button', { name: /^Owls/ }).waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[0]).not.toBe('')
  expect(keys[1]).toBe(keys[0] ?? '')
  const { body } = await place.must('GET', '/portal/api/me', { session })
  const names = body.workspaces.map(({ groupName }: { groupName: string }) => groupName)
  expect(names.filter((name: string) => name === 'Owls')).toHaveLength(1)
})
