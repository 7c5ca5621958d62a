import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/instance.ts'
import { GROUP, OWNER } from '../support/place.ts'
import {
  chooseInMenu,
  expectFocus,
  expectSoon,
  fillIn,
  heading,
  noteOf,
  press,
  signIn,
  typedIn,
} from '../support/portal.ts'
import { expectCalm, openVisits } from '../support/visit.ts'

let visits: Awaited<ReturnType<typeof openVisits>>
beforeAll(async () => {
  visits = await openVisits()
})
afterEach(() => visits.leave())
afterAll(() => visits?.close())

const switcher = (page: Page) => page.getByRole('button', { name: RegExp(`^${GROUP}.*switch workspace`) })

/** Opens the page of a place that is set up. */
async function openSetUp(path = '/') {
  const place = await visits.place()
  const owner = await place.setUp()
  return { place, ...owner, opened: await visits.visit(path) }
}

describe('the first run', () => {
  const setUp = async (changed: Record<string, string> = {}) => ({
    Code: (await visits.place()).code,
    Username: OWNER,
    Password: PASSWORD,
    'Group name': GROUP,
    ...changed,
  })

  test('with the code of the log somebody is signed in, and sees their workspace', async () => {
    const opened = await visits.visit()
    const { page } = opened
    await heading(page, 'Set up Reeve')
    expect(await page.title()).toBe('Set up Reeve')
    await fillIn(page, await setUp())
    await press(page, 'Set up')
    await switcher(page).waitFor()
    expect(new URL(page.url()).pathname).toStartWith('/w/')
    await page.reload()
    await switcher(page).waitFor()
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    await expectCalm(opened)
    expect(opened.complaints).toEqual([])
  })

  test('a wrong code is told, and everything that was typed stays', async () => {
    const opened = await visits.visit()
    const { page } = opened
    const typed = await setUp({ Code: '0000-0000-0000' })
    await fillIn(page, typed)
    await press(page, 'Set up')
    await page.getByText('This is not the code').waitFor()
    for (const [label, value] of Object.entries(typed)) await expectSoon(() => typedIn(page, label), value)
    await expectFocus(page, 'code')
    await expectCalm(opened)
  })

  test('every field that is not good enough says so beside itself, until it is changed', async () => {
    const opened = await visits.visit()
    const { page } = opened
    await fillIn(page, { Password: 'short', Username: 'two  spaces' })
    await press(page, 'Set up')
    await page.getByText('Code is required.').waitFor()
    await expectSoon(() => noteOf(page, 'Group name'), ['true', 'Group name is required.'])
    await expectSoon(() => noteOf(page, 'Password'), ['true', 'Password must be 10 to 200 characters.'])
    expect((await noteOf(page, 'Username'))[1]).toStartWith('Username must not hold invisible characters')
    await expectFocus(page, 'code')
    await fillIn(page, { Password: PASSWORD })
    await expectSoon(() => noteOf(page, 'Password'), [null, '10 to 200 characters, and not a common one'])
    await expectCalm(opened)
  })

  test('set up elsewhere in the meantime, it leads to the sign-in form', async () => {
    const opened = await visits.visit()
    const { page } = opened
    await heading(page, 'Set up Reeve')
    await fillIn(page, await setUp({ Username: 'late' }))
    await (await visits.place()).setUp()
    await press(page, 'Set up')
    await heading(page, 'Sign in')
    await page.getByText('This instance has been set up already; sign in instead.').waitFor()
    await expectCalm(opened)
  })

  test('names that look like script are shown as they are, and run nothing', async () => {
    const opened = await visits.visit()
    const { page } = opened
    const username = '<img src=x onerror=planted=1>'
    const group = '"><script>planted=1</script><svg onload=planted=1>'
    await fillIn(page, await setUp({ Username: username, 'Group name': group }))
    await press(page, 'Set up')
    await page.getByText(group, { exact: true }).first().waitFor()
    await page.reload()
    await page.getByText(group, { exact: true }).first().waitFor()
    await page.getByRole('button', { name: /Your menu/ }).click()
    await page.getByText(username, { exact: true }).waitFor()
    expect(await page.title()).toContain(group)
    expect(await page.evaluate('"planted" in globalThis')).toBe(false)
    await expectCalm(opened)
  })
})

describe('signing in and out', () => {
  test('the right password signs in, and signing out leaves nothing behind', async () => {
    const { opened, place, workspaceId } = await openSetUp()
    const { page, context } = opened
    await signIn(page)
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    expect(await context.cookies()).toMatchObject([
      { name: 'reeve_session', httpOnly: true, sameSite: 'Lax' },
    ])
    await chooseInMenu(page, 'Sign out')
    await heading(page, 'Sign in')
    expect(await context.cookies()).toEqual([])
    await expectFocus(page, 'username')
    expect([await typedIn(page, 'Username'), await typedIn(page, 'Password')]).toEqual(['', ''])
    expect(await page.textContent('body')).not.toContain(GROUP)
    await page.goto(`${place.origin}/w/${workspaceId}`)
    await heading(page, 'Sign in')
    expect(await page.textContent('body')).not.toContain(GROUP)
    await expectCalm(opened)
    expect(opened.complaints).toEqual([])
  })

  test('a wrong password is told, stays, and can be mended', async () => {
    const { opened } = await openSetUp()
    const { page } = opened
    await signIn(page, OWNER, `${PASSWORD}!`)
    await page.getByText('The username or the password is wrong.').waitFor()
    expect([await typedIn(page, 'Username'), await typedIn(page, 'Password')]).toEqual([
      OWNER,
      `${PASSWORD}!`,
    ])
    await expectFocus(page, 'password')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    await expectCalm(opened)
  })

  test('the keyboard alone is enough, and the focus is always seen', async () => {
    const { opened } = await openSetUp()
    const { page } = opened
    await heading(page, 'Sign in')
    await expectFocus(page, 'username')
    await page.keyboard.type(OWNER)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expectSoon(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Signed in as robin/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('End')
    await expectFocus(page, 'Sign out')
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    await expectFocus(page, 'username')
    await expectCalm(opened)
  })

  test('while it takes, the button cannot be pressed again', async () => {
    const { opened } = await openSetUp()
    const { page, requested } = opened
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/portal/api/sign-in', async (route) => {
      await released
      await route.continue()
    })
    await signIn(page)
    await page.locator('button[data-loading]').waitFor()
    await expectSoon(() => page.locator('button[data-loading]').isDisabled(), true)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    release()
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
    expect(requested.filter((address) => address.endsWith('/portal/api/sign-in'))).toHaveLength(1)
  })

  test('after too many attempts it says how long to wait', async () => {
    const { opened, place } = await openSetUp()
    const body = { username: OWNER, password: 'wrong' }
    for (let attempt = 0; attempt < 10; attempt++) await place.call('POST', '/portal/api/sign-in', { body })
    await signIn(opened.page)
    await opened.page.getByText(/^Too many attempts\. Try again in 1[45] minutes\.$/).waitFor()
  })

  test('without a connection it says so, and goes on once there is one', async () => {
    const { opened } = await openSetUp()
    const { page, context } = opened
    await heading(page, 'Sign in')
    await context.setOffline(true)
    await signIn(page)
    await page.getByText('You are offline. Try again once you are connected.').waitFor()
    await expectSoon(() => typedIn(page, 'Password'), PASSWORD)
    await context.setOffline(false)
    await press(page, 'Sign in')
    await page.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
  })

  test('what answers instead of Reeve is told as that', async () => {
    const { opened } = await openSetUp()
    const { page } = opened
    await page.route('**/portal/api/sign-in', (route) =>
      route.fulfill({ status: 502, body: '<h1>Bad gateway' }),
    )
    await signIn(page)
    await page.getByText('Reeve did not answer properly (502). Try again in a moment.').waitFor()
  })

  test('leads on to where the reader was on the way to, and never to another host', async () => {
    const { opened, place, workspaceId } = await openSetUp('/account?from=a%20mail')
    const { page } = opened
    await heading(page, 'Sign in')
    await signIn(page)
    await heading(page, 'Your account')
    expect(page.url()).toEndWith('/account?from=a+mail')
    for (const to of ['//elsewhere.example/', '/\\elsewhere.example', 'https://elsewhere.example/']) {
      const { page: other, foreign } = await visits.visit(`/sign-in?${new URLSearchParams({ to })}`)
      await signIn(other)
      await other.getByRole('button', { name: /^Signed in as robin/ }).waitFor()
      expect([new URL(other.url()).origin, new URL(other.url()).pathname]).toEqual([
        place.origin,
        `/w/${workspaceId}`,
      ])
      expect(foreign()).toEqual([])
    }
  })
})

test('what the sign-in form loads is small: at most 200 KB of script, as it comes over the wire', async () => {
  const place = await visits.place()
  await place.setUp()
  const { page, requested } = await visits.visit('/', undefined)
  await heading(page, 'Sign in')
  await page.evaluate('new Promise((idle) => requestIdleCallback(idle))')
  const scripts = [...new Set(requested.filter((address) => address.endsWith('.js')))]
  expect(scripts.length).toBeGreaterThan(1)
  let size = 0
  for (const address of scripts) {
    const answer = await fetch(address, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    size += (await answer.arrayBuffer()).byteLength
  }
  expect(size).toBeGreaterThan(50_000)
  expect(size).toBeLessThan(200 * 1024)
})

test('without script it says that it needs one, and offers no form', async () => {
  const { page } = await visits.visit('/', undefined, { javaScriptEnabled: false })
  await expectSoon(() => page.locator('noscript p').isVisible(), true)
  expect(await page.getByRole('textbox').count()).toBe(0)
})
