import type { Page } from 'playwright-core'
import { settlePages } from '../support/browser.ts'

/** What a page contains of planted markup: elements that it became, calls of its script, and the numbers of the texts. */
export interface Found {
  readonly injected: number
  readonly hits: number
  readonly numbers: readonly string[]
}

/** Returns a `Found`: in texts, in the values of fields, and in the names of elements. */
export const FIND_MARKUP = `(() => {
  const texts = [document.body.textContent, document.title]
  for (const element of document.querySelectorAll('input, textarea, option, [aria-label], [title]'))
    texts.push(element.value, element.getAttribute('aria-label'), element.title, element.placeholder)
  const numbers = texts.flatMap((text) => [...String(text).matchAll(/onerror=hit\\(\\)>(\\d+)/g)].map(([, number]) => number))
  return {
    injected: document.querySelectorAll('[onerror], img[src=x]').length,
    hits: hits.length,
    numbers: [...new Set(numbers)],
  }
})()`

/** Buttons that open a menu or a dialog, by what they say; others could change what later screens show. */
const OPENING =
  /^(?:Actions|Your actions|Saved views|Edit|New|Add|Change|Delete|Remove|Rotate|Transfer|Rename|Details|Show|Report|Redact|Link|Save as|Choose|Import|Revoke|Set|Download|Invite|Lift|Ban|Warn|Mute|Kick|Note|Archive|Copy from|Disable|Quota|Reset|End )/
const MAX_BUTTONS = 8
/** How long what a click or a key does may take, and how long a button may be covered, in milliseconds. */
const SETTLE_MS = 20_000
const CLICK_MS = 1000

/** Opens the menus and dialogs of a screen, one after the other. @returns how many opened */
export async function openEverything(page: Page, check: (what: string) => Promise<void>): Promise<number> {
  let opened = 0
  const seen = new Set<string>()
  for (const name of await page.evaluate<string[]>(LIST_NAMES)) {
    if (seen.size === MAX_BUTTONS) break
    // One of each kind: the rows of a list have the same menu.
    const kind = name.replace(/(?:for|of) .*$/, '')
    if (!OPENING.test(name) || seen.has(kind)) continue
    seen.add(kind)
    if (await openOne(page, name)) {
      opened += 1
      await check(name)
      for (const item of await listMenuItems(page)) {
        if (!(await openItem(page, name, item))) continue
        opened += 1
        await check(`${name}: ${item}`)
      }
    }
    await closeEverything(page)
  }
  return opened
}

const LIST_NAMES = `[...document.querySelectorAll('main button')].filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => (one.getAttribute('aria-label') ?? one.textContent).trim())`
const OVERLAYS = '[role=dialog]:visible, [role=menu]:visible'

/** Whether something is open once the page has done what it was asked to. */
async function hasOpened(page: Page, overlays: string): Promise<boolean> {
  await settlePages(SETTLE_MS)
  return (await page.locator(overlays).count()) > 0
}

async function openOne(page: Page, name: string): Promise<boolean> {
  try {
    await page.locator('main').getByRole('button', { name, exact: true }).first().click({ timeout: CLICK_MS })
  } catch {
    return false
  }
  return hasOpened(page, OVERLAYS)
}

const listMenuItems = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('[role=menu] [role=menuitem]:not([data-disabled])')]
    .filter((one) => one.checkVisibility() && one.tagName === 'BUTTON').map((one) => one.textContent.trim())`)

/** Chooses an item of a menu, which is opened again if it has closed. @returns whether a dialog opened */
async function openItem(page: Page, menu: string, item: string): Promise<boolean> {
  try {
    if ((await page.locator('[role=menu]:visible').count()) === 0) {
      await closeEverything(page)
      if (!(await openOne(page, menu))) return false
    }
    await page.getByRole('menuitem', { name: item, exact: true }).first().click({ timeout: CLICK_MS })
  } catch {
    return false
  }
  return hasOpened(page, '[role=dialog]:visible')
}

async function closeEverything(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 4 && (await hasOpened(page, OVERLAYS)); attempt += 1)
    await page.keyboard.press('Escape')
}
