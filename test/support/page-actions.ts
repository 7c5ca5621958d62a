import { expect } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { settlePages } from './browser.ts'
import { PASSWORD } from './instance.ts'
import { OWNER } from './server.ts'

/** User text that would change the page if it ran as markup or script. */
export const XSS_PAYLOAD = '"><script>planted=1</script><img src=x onerror=planted=1>'

export const DESKTOP = { viewport: { width: 1440, height: 900 } }
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }
/** A phone whose browser scales pages and scrolls them by touch. */
export const TOUCH_PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Limit for one wait. */
export const WAIT_MS = 30_000

const getField = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Fills in the form by its labels. */
export async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await getField(page, label).fill(value)
}

export const readField = (page: Page, label: string): Promise<string> => getField(page, label).inputValue()

/** The validity of a field and its description or error text. */
export async function readFieldNote(page: Page, label: string): Promise<readonly [string | null, string]> {
  const input = getField(page, label)
  const ids = ((await input.getAttribute('aria-describedby')) ?? '').split(' ').filter(Boolean)
  const notes = await Promise.all(
    ids.map(async (id) => {
      const note = page.locator(`[id="${id}"]`)
      return (await note.isVisible()) ? ((await note.textContent()) ?? '') : ''
    }),
  )
  return [await input.getAttribute('aria-invalid'), notes.join('')]
}

/** Makes requests of the page to matching URLs fail with a 500 until `page.unroute`. */
export async function failRequests(page: Page, urlPattern: string): Promise<void> {
  const json = { error: 'This failed here.', code: 'internal_error', requestId: 'r-1' }
  await page.route(urlPattern, (route) => route.fulfill({ status: 500, json }))
}

/** Whether a request is for a script. */
export const isScript = (request: Request): boolean => request.url().endsWith('.js')

/**
 * Opens the page anew with a network that loses the scripts that contain a text.
 * @returns a function that lets them load again
 */
export async function reloadWithoutScripts(page: Page, text: string): Promise<() => Promise<void>> {
  await page.route('**/*.js', async (route) => {
    const response = await route.fetch()
    await ((await response.text()).includes(text) ? route.abort() : route.fulfill({ response }))
  })
  await page.reload()
  return () => page.unrouteAll({ behavior: 'wait' })
}

/** Opens the menu of a button and chooses an item. */
export async function chooseMenuItem(page: Page, button: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Makes a change and waits until the page has read it again, which only a live event causes. */
export async function waitForRefetch(
  page: Page,
  path: string,
  change: () => Promise<unknown>,
): Promise<void> {
  await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === path && response.ok()),
    change(),
  ])
}

/** Reloads a page and waits for its live stream, so that it receives every later change. */
export async function reloadAndFollow({ page }: { readonly page: Page }): Promise<void> {
  await Promise.all([page.waitForResponse(/\/portal\/api\/live\?/), page.reload()])
}

export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** The reason of each action that an archived workspace disables. */
export const ARCHIVED = 'This workspace is archived and read-only.'

/** Waits until a button is disabled, and expects its description to be the reason. */
export async function expectBlocked(page: Page, name: string, reason: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true, disabled: true })
  await button.waitFor()
  const descriptionId = await button.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${descriptionId}"]`).textContent()).toBe(reason)
}

/** Expects no part of the page to be wider than its window. */
export const expectFitsWindow = async (page: Page): Promise<void> =>
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  )

export const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor()

/** Waits until an element has the focus: a field by its name, other elements by label or text. */
export const expectFocus = (page: Page, name: string): Promise<void> =>
  expectSettled(
    () =>
      page.evaluate<string>(
        'document.activeElement.name || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent',
      ),
    name,
  )

export async function signIn(page: Page, username = OWNER, password = PASSWORD): Promise<void> {
  await fillIn(page, { Username: username, Password: password })
  await pressButton(page, 'Sign in')
}

export const chooseInUserMenu = (page: Page, item: string): Promise<void> =>
  chooseMenuItem(page, /Your menu/, item)

/**
 * Waits until an expression is true on the page. Playwright's `waitForFunction` evaluates strings in the page, which the CSP
 * reports.
 */
export async function waitUntil(page: Page, expression: string, waitMs = WAIT_MS): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!(await page.evaluate<boolean>(`Boolean(${expression})`))) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for: ${expression}`)
    await page.evaluate('new Promise((next) => requestAnimationFrame(next))')
  }
}

/** An expression for `waitUntil`: whether a file of the portal has been loaded. */
export const isLoaded = (file: string): string =>
  `performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.includes('/${file}') && responseEnd > 0)`

/** Waits until the open pages have finished what they are doing, then reads a value once. */
export async function expectSettled<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  await settlePages(WAIT_MS)
  expect<unknown>(await read()).toEqual(expected)
}

/** Opens a page as a link does, without loading the portal again. */
export const openInApp = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
