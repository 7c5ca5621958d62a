import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listExceeded, maximums } from '../bench/portal/limits.ts'
import { measureWeight } from '../bench/portal/measure.ts'
import { launchBrowser } from '../support/browser.ts'
import { type FirstScreens, listFirstScreenNames, openFirstScreens } from '../support/first-screens.ts'

let screens: FirstScreens
/** Not the one of other tests: where they left the pointer, it can move over a page, which then loads what a user may open. */
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  ;[screens, browser] = await Promise.all([openFirstScreens(), launchBrowser()])
}, 120_000)
afterAll(() => Promise.all([browser?.close(), screens?.close()]))

describe('as the first screen, a screen sends few requests and loads few bytes:', () => {
  for (const name of listFirstScreenNames()) {
    test(name, async () => {
      const screen = screens.find(name)
      expect(listExceeded(screen, await measureWeight(browser, screens, screen), maximums)).toEqual([])
    }, 60_000)
  }
})
