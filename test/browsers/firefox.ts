import puppeteer, { type ElementHandle } from 'puppeteer-core'
import type { PageDriver } from './page.ts'

/** Opens a page in Firefox ESR over WebDriver BiDi. */
export async function openFirefox(width: number, height: number): Promise<PageDriver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
    defaultViewport: { width, height },
  })
  const page = await browser.newPage()
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    async findElement(expression) {
      const element = (
        await page.evaluateHandle(expression)
      ).asElement() as ElementHandle<HTMLInputElement> | null
      return (
        element && {
          click: () => element.click(),
          type: (text) => element.type(text),
          chooseFile: (path) => element.uploadFile(path),
        }
      )
    },
    pressKey: (key) => page.keyboard.press(key),
    saveScreenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => browser.close(),
  }
}
