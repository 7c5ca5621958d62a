import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listExceeded, maximums } from '../bench/portal/limits.ts'
import { measureWeight } from '../bench/portal/measure.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type FirstScreens, listFirstScreenNames, openFirstScreens } from '../support/first-screens.ts'

let screens: FirstScreens
let browser: Browser
beforeAll(async () => {
  ;[screens, browser] = await Promise.all([openFirstScreens(), openBrowser()])
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
