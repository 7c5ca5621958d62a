import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findAxeViolations } from '../support/axe.ts'
import { FIND_BROKEN_WORDS } from '../support/broken-words.ts'
import { type Browser, openTab } from '../support/browser.ts'
import { findFaintControls } from '../support/control-contrast.ts'
import { findCutTexts, setTextSize, textSizes } from '../support/large-text.ts'
import { waitUntil } from '../support/page-actions.ts'
import {
  arrange,
  type colorSchemes,
  HEIGHT,
  importScreenFiles,
  openScreenServers,
  type ScreenState,
  setColorScheme,
  widths,
} from '../support/screen-states.ts'
import { useScreens } from '../support/use-screens.ts'

const NARROWEST = 320
/** How long the page takes to follow when the window changes, in milliseconds. */
const SETTLE_MS = 2000

const [phone, desktop] = widths
const PHONE_IN_THE_DARK = { viewport: { width: phone, height: HEIGHT }, colorScheme: 'dark' } as const

type ScreenServers = Awaited<ReturnType<typeof openScreenServers>>

async function openState(state: ScreenState, servers: ScreenServers, browser: Browser) {
  const { url, cookies } = await servers.resolve(state)
  return openTab(browser.reused, url, PHONE_IN_THE_DARK, cookies)
}

async function findViolationsIn(page: Page, colorScheme: (typeof colorSchemes)[number]): Promise<string[]> {
  const violations = [...(await findAxeViolations(page)), ...(await findFaintControls(page))]
  return violations.map((violation) => `${colorScheme}: ${violation}`)
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

/** The words that are broken in the narrowest window, even once the layout has settled. */
async function listBrokenWords(page: Page): Promise<string[]> {
  try {
    await waitUntil(page, `${FIND_BROKEN_WORDS}.length === 0`, SETTLE_MS)
    return []
  } catch {
    return (await page.evaluate<string[]>(FIND_BROKEN_WORDS)).map((word) => `“${word}” is broken`)
  }
}

const findLayoutProblems = async (page: Page): Promise<string[]> => [
  ...(await findOverflow(page)),
  ...(await findCutTexts(page, SETTLE_MS)),
]

/** What does not fit a phone if the user has doubled the text size, which is set before the window changes. */
async function findProblemsOfLargeText(page: Page): Promise<string[]> {
  await setTextSize(page, textSizes.large)
  await page.setViewportSize({ width: phone, height: HEIGHT })
  const problems = await findLayoutProblems(page)
  await setTextSize(page, textSizes.usual)
  return problems.map((problem) => `large text: ${problem}`)
}

async function findProblems(state: ScreenState, servers: ScreenServers, browser: Browser): Promise<string[]> {
  const tab = await openState(state, servers, browser)
  const { page } = tab
  await arrange(page, state, servers.context)
  const problems = await findLayoutProblems(page)
  await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
  problems.push(...(await findLayoutProblems(page)), ...(await listBrokenWords(page)))
  problems.push(...(await findViolationsIn(page, 'dark')))
  problems.push(...(await findProblemsOfLargeText(page)))
  await page.setViewportSize({ width: desktop, height: HEIGHT })
  await setColorScheme(page, 'light')
  problems.push(...(await findLayoutProblems(page)), ...(await findViolationsIn(page, 'light')))
  problems.push(...tab.listCrossOriginRequests(), ...(await tab.listCspViolations()))
  problems.push(...tab.pageErrors.filter((pageError) => !state.allowedErrors?.test(pageError)))
  await tab.close()
  return problems
}

/** How many test files share the screens, so that they run in parallel. */
const PARTS = [...new Bun.Glob('screens-*.test.ts').scanSync(import.meta.dir)].length

/**
 * Registers the tests of the screens of one test file.
 * @param part the number in the name of the test file, from 1
 */
export async function testScreens(part: number): Promise<void> {
  const files = await importScreenFiles()
  const states = files.filter((_, i) => i % PARTS === part - 1).flatMap((file) => file.states)
  const opened = useScreens(openScreenServers)
  describe('accessible, without overflow, also with large text, in light and dark, without CSP violations:', () => {
    for (const state of states)
      test(
        state.name,
        async () => expect(await findProblems(state, opened.screens, opened.browser)).toEqual([]),
        60_000,
      )
  })
}
