import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findAxeViolations } from '../support/axe.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { waitUntil } from '../support/page-actions.ts'
import {
  arrange,
  type colorSchemes,
  HEIGHT,
  listScreenStates,
  openScreenServers,
  type ScreenState,
  setColorScheme,
  widths,
} from '../support/screen-states.ts'

const NARROWEST = 360
/** How long a popup takes to move after the window changes, in milliseconds. */
const SETTLE_MS = 2000

const states = await listScreenStates()

const [phone, desktop] = widths
const PHONE_IN_THE_DARK = { viewport: { width: phone, height: HEIGHT }, colorScheme: 'dark' } as const

let servers: Awaited<ReturnType<typeof openScreenServers>>
let browser: Browser
/** The context of the owner, whose pages share a process and the compiled scripts in it, which takes a third less time. */
let ownerContext: BrowserContext
beforeAll(async () => {
  ;[servers, browser] = await Promise.all([openScreenServers(), launchBrowser(['--process-per-site'])])
  ownerContext = await browser.newContext({ ...PHONE_IN_THE_DARK, reducedMotion: 'reduce' })
  // The process ends with its last page, so this one stays open.
  const page = await ownerContext.newPage()
  await page.goto(new URL('/healthz', servers.context.server.origin).href)
}, 120_000)
afterAll(() => Promise.all([browser?.close(), servers?.close()]))

async function openState(state: ScreenState) {
  const { url, cookies } = await servers.resolve(state)
  const isOwners = state.as === undefined && !state.isEmpty
  const contexts = isOwners ? { newContext: async () => ownerContext } : browser
  const tab = await openTab(contexts, url, PHONE_IN_THE_DARK, cookies)
  return {
    ...tab,
    async close() {
      if (!isOwners) return tab.close()
      await tab.page.evaluate('localStorage.clear()')
      await tab.page.close()
    },
  }
}

async function findViolationsIn(page: Page, colorScheme: (typeof colorSchemes)[number]): Promise<string[]> {
  return (await findAxeViolations(page)).map((violation) => `${colorScheme}: ${violation}`)
}

/** What does not fit the width of the window, even once the layout has settled. */
async function findOverflow(page: Page): Promise<string[]> {
  try {
    await waitUntil(page, 'document.documentElement.scrollWidth <= innerWidth', SETTLE_MS)
    return []
  } catch {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    return [`${width} px wide in a window of ${page.viewportSize()?.width} px`]
  }
}

async function checkState(state: ScreenState): Promise<string[]> {
  const tab = await openState(state)
  const { page } = tab
  await arrange(page, state, servers.context)
  const problems = await findOverflow(page)
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
  problems.push(...(await findOverflow(page)), ...(await findViolationsIn(page, 'dark')))
  await page.setViewportSize({ width: desktop, height: HEIGHT })
  await setColorScheme(page, 'light')
  problems.push(...(await findOverflow(page)), ...(await findViolationsIn(page, 'light')))
  problems.push(...tab.listCrossOriginRequests(), ...(await tab.listCspViolations()))
  problems.push(...tab.pageErrors.filter((pageError) => !state.allowedErrors?.test(pageError)))
  await tab.close()
  return problems
}

describe('accessible, without overflow, in light and dark, without CSP violations:', () => {
  for (const state of states)
    test(state.name, async () => expect(await checkState(state)).toEqual([]), 60_000)
})
