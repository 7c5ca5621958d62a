import type { Page } from 'playwright-core'

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
/** How long a menu or dialog may take to open, in milliseconds. */
const OPEN_MS = 500
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

async function openOne(page: Page, name: string): Promise<boolean> {
  try {
    await page.locator('main').getByRole('button', { name, exact: true }).first().click({ timeout: CLICK_MS })
    await page.locator(OVERLAYS).first().waitFor({ timeout: OPEN_MS })
    return true
  } catch {
    return false
  }
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
    await page.locator('[role=dialog]:visible').first().waitFor({ timeout: OPEN_MS })
    return true
  } catch {
    return false
  }
}

async function closeEverything(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 4 && (await page.locator(OVERLAYS).count()) > 0; attempt += 1) {
    await page.keyboard.press('Escape')
    await page
      .locator(OVERLAYS)
      .first()
      .waitFor({ state: 'hidden', timeout: OPEN_MS })
      .catch(() => {})
  }
}
