import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { until } from '../support/portal.ts'
import {
  dress,
  everyLook,
  HEIGHT,
  type Look,
  openScenes,
  reach,
  type schemes,
  widths,
} from '../support/scene.ts'

const NARROWEST = 360
/** How long what pops up has to find its place in another window. */
const SETTLE_MS = 2000

const looks = await everyLook()

let scenes: Awaited<ReturnType<typeof openScenes>>
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  ;[scenes, browser] = await Promise.all([openScenes(), openBrowser()])
}, 120_000)
afterAll(() => Promise.all([browser?.close(), scenes?.close()]))

/** What stands in the way of somebody, in words. */
async function barriers(page: Page, colorScheme: (typeof schemes)[number]): Promise<string[]> {
  await dress(page, colorScheme)
  // What pops up stands at the end of the page, outside of its parts, and is reached from what opened it.
  const hasPopup = await page.locator('[role=menu], [role=listbox], [role=dialog]').count()
  const rules = JSON.stringify({ region: { enabled: hasPopup === 0 } })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ rules: ${rules} })`)
  return violations.map(
    ({ id, nodes }) =>
      `${colorScheme}: ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}

/** Whether everything fits the window, as wide as it is, once all has found its place. */
async function overflow(page: Page): Promise<string[]> {
  await until(page, 'document.documentElement.scrollWidth <= innerWidth', SETTLE_MS).catch(() => 'told below')
  const [wide, width] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  )
  return wide > width ? [`${wide} px wide in a window of ${width} px`] : []
}

async function findings(look: Look): Promise<string[]> {
  const { address, cookies } = await scenes.of(look)
  const [phone, desk] = widths
  const opened = await openPage(browser, address, { viewport: { width: phone, height: HEIGHT } }, cookies)
  const { page } = opened
  await reach(page, look, scenes.scene)
  await page.evaluate(axe.source)
  const found = await overflow(page)
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
  found.push(...(await overflow(page)), ...(await barriers(page, 'dark')))
  await page.setViewportSize({ width: desk, height: HEIGHT })
  found.push(...(await overflow(page)), ...(await barriers(page, 'light')))
  found.push(...opened.foreign(), ...(await opened.violations()))
  found.push(...opened.complaints.filter((one) => !look.complaints?.test(one)))
  await opened.close()
  return found
}

describe('open to everybody, in its window, in light and dark, at peace with the content policy:', () => {
  for (const look of looks) test(look.name, async () => expect(await findings(look)).toEqual([]), 60_000)
})
