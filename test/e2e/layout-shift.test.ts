import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { limits } from '../bench/portal/limits.ts'
import { type Browser, openBrowser, openTab } from '../support/browser.ts'
import { type FirstScreens, listFirstScreenNames, openFirstScreens } from '../support/first-screens.ts'
import { observeVitals, readVitals, sumLayoutShifts } from '../support/page-vitals.ts'

const PHONE = { width: 390, height: 844 }

let screens: FirstScreens
let browser: Browser
beforeAll(async () => {
  ;[screens, browser] = await Promise.all([openFirstScreens(), openBrowser()])
}, 120_000)
afterAll(() => Promise.all([browser?.close(), screens?.close()]))

/** In which order the responses arrive. */
const orders = {
  'in the order of the requests': (held: Route[]) => held.shift(),
  'in the reverse order': (held: Route[]) => held.pop(),
}

/** Holds the API requests of a page back, and lets one through at a time once the page has painted what it has. */
async function holdReads(page: Page, takeNext: (held: Route[]) => Route | undefined) {
  const held: Route[] = []
  await page.route(/^http:..[^/]+\/(portal\/|admin\/)?api\/(?!live)/, (route) => {
    held.push(route)
  })
  const paint = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return {
    async releaseAll(): Promise<void> {
      const isDone = () =>
        page.evaluate<boolean>(
          'Boolean(document.querySelector("h1")) && !document.querySelector("[aria-busy=true]") && !globalThis.isActive()',
        )
      while (!(await isDone()) || held.length > 0) {
        await paint()
        const next = takeNext(held)
        if (!next) continue
        const answered = page.waitForResponse((response) => response.request() === next.request())
        await next.continue()
        // Not until it has finished: nothing may read a response that came too early.
        await answered
        await paint()
      }
      await paint()
    },
  }
}

async function measureShift(name: string, takeNext: (held: Route[]) => Route | undefined) {
  const screen = screens.find(name)
  const reads = Promise.withResolvers<Awaited<ReturnType<typeof holdReads>>>()
  const options = { viewport: PHONE, hasTouch: true }
  const tab = await openTab(browser, screen.url, options, screens.cookies(screen), async (page) => {
    await observeVitals(page)
    reads.resolve(await holdReads(page, takeNext))
  })
  await (await reads.promise).releaseAll()
  const vitals = await readVitals(tab.page)
  await tab.close()
  return vitals
}

describe('on a phone, hardly anything moves while the data of a screen arrive one by one:', () => {
  for (const name of listFirstScreenNames()) {
    for (const [order, takeNext] of Object.entries(orders)) {
      test(`${name}, ${order}`, async () => {
        const vitals = await measureShift(name, takeNext)
        const report = vitals.layoutShifts.filter(({ score }) => score >= limits.layoutShift / 10)
        // The elements that moved say what to fix.
        expect({ isBelowLimit: sumLayoutShifts(vitals) < limits.layoutShift, report }).toMatchObject({
          isBelowLimit: true,
        })
      }, 60_000)
    }
  }
})
