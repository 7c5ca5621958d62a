import { afterAll, beforeAll } from 'bun:test'
import { type Browser, openBrowser } from './browser.ts'

/**
 * Opens the servers of screens and a browser before the tests of a file, and closes them at the end. The members of the result exist once the tests run.
 * @param open starts the servers
 */
export function useScreens<Screens extends { readonly close: () => Promise<unknown> }>(
  open: () => Promise<Screens>,
): { readonly screens: Screens; readonly browser: Browser } {
  const used = {} as { screens: Screens; browser: Browser }
  beforeAll(async () => {
    ;[used.screens, used.browser] = await Promise.all([open(), openBrowser()])
  }, 120_000)
  afterAll(() => Promise.all([used.browser?.close(), used.screens?.close()]))
  return used
}
