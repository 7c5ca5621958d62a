import { describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { openTab } from '../support/browser.ts'
import { listFirstScreenNames, openFirstScreens } from '../support/first-screens.ts'
import { TOUCH_PHONE } from '../support/page-actions.ts'
import { observeVitals, readVitals, sumLayoutShifts } from '../support/page-vitals.ts'
import { useScreens } from '../support/use-screens.ts'

/** A field that appears above others moves them by 0.03 or more, and a press in that moment hits the wrong one. */
const MAX_SHIFT = 0.01

const opened = useScreens(openFirstScreens)

type TakeNext = (held: Route[]) => Route | undefined

/** In which order the responses arrive. */
const takeOldest: TakeNext = (held) => held.shift()
const takeNewest: TakeNext = (held) => held.pop()

/** Holds the API requests of a page back, and lets one through at a time once the page has painted what it has. */
async function holdReads(page: Page, takeNext: TakeNext) {
  const held: Route[] = []
  await page.route(/^http:..[^/]+\/(portal\/|admin\/)?api\/(?!live)/, (route) => {
    held.push(route)
  })
  const paint = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return {
    /** @returns how many requests were held at the same time, at most */
    async releaseAll(): Promise<number> {
      let maxHeld = 0
      const isDone = () =>
        page.evaluate<boolean>(
          'Boolean(document.querySelector("h1")) && !document.querySelector("[aria-busy=true]") && !globalThis.isActive()',
        )
      while (!(await isDone()) || held.length > 0) {
        await paint()
        maxHeld = Math.max(maxHeld, held.length)
        const next = takeNext(held)
        if (!next) continue
        const answered = page.waitForResponse((response) => response.request() === next.request())
        await next.continue()
        // Not until it has finished: nothing may read a response that came too early.
        await answered
        await paint()
      }
      await paint()
      return maxHeld
    },
  }
}

async function measureShift(name: string, takeNext: TakeNext) {
  const screen = opened.screens.find(name)
  const reads = Promise.withResolvers<Awaited<ReturnType<typeof holdReads>>>()
  const tab = await openTab(
    opened.browser,
    screen.url,
    TOUCH_PHONE,
    opened.screens.cookies(screen),
    async (page) => {
      await observeVitals(page)
      reads.resolve(await holdReads(page, takeNext))
    },
  )
  const maxHeld = await (await reads.promise).releaseAll()
  const vitals = await readVitals(tab.page)
  await tab.close()
  return { vitals, maxHeld }
}

async function expectSteady(name: string, takeNext: TakeNext) {
  const { vitals, maxHeld } = await measureShift(name, takeNext)
  const report = vitals.layoutShifts.filter(({ score }) => score >= MAX_SHIFT / 10)
  // The elements that moved say what to fix.
  const isBelowLimit = sumLayoutShifts(vitals) < MAX_SHIFT
  expect({ order: takeNext.name, isBelowLimit, report }).toMatchObject({
    isBelowLimit: true,
  })
  return { maxHeld }
}

describe('on a phone, nothing moves while the data of a screen arrive one by one, in either order:', () => {
  for (const name of listFirstScreenNames())
    test(name, async () => {
      const { maxHeld } = await expectSteady(name, takeOldest)
      // With one request at a time, both orders are the same.
      if (maxHeld > 1) await expectSteady(name, takeNewest)
    }, 120_000)
})
