import { expect } from 'bun:test'
import { openBrowser, openTab } from './browser.ts'
import { startTestServer, type TestServer } from './server.ts'

type Tab = Awaited<ReturnType<typeof openTab>>

/** What a browser says by itself of an answer that is a refusal. */
export const ERROR_STATUS_MESSAGE = /Failed to load resource: the server responded with a status of 4\d\d/

/** A place and a browser for one test after another: pages that were opened are closed with `leave`. */
export async function openE2eSessionPerTest() {
  const browser = await openBrowser()
  let server: TestServer | null = null
  const tabs: Tab[] = []

  return {
    /** The place of this test: an empty one, made when it is first asked for. */
    async server(): Promise<TestServer> {
      server ??= await startTestServer()
      return server
    },
    /** Opens a page of the place, in a session where one is given. */
    async openScreen(
      path = '/',
      session?: string,
      options: Parameters<typeof openTab>[2] = {},
    ): Promise<Tab> {
      const { origin, cookie } = await this.server()
      const cookies = session === undefined ? [] : [cookie(session)]
      const tab = await openTab(browser, `${origin}${path}`, options, cookies)
      tabs.push(tab)
      return tab
    },
    /** Closes what this test opened. */
    async closeTabs(): Promise<void> {
      await Promise.all(tabs.splice(0).map((openedTab) => openedTab.close()))
      await server?.close()
      server = null
    },
    close: () => browser.close(),
  }
}

/** Nothing left for another host, nothing was blocked, and nothing went wrong but refusals. */
export async function expectNoPageErrors({
  listCrossOriginRequests,
  listCspViolations,
  pageErrors,
}: Tab): Promise<void> {
  expect(listCrossOriginRequests()).toEqual([])
  expect(await listCspViolations()).toEqual([])
  expect(pageErrors.filter((openedTab) => !ERROR_STATUS_MESSAGE.test(openedTab))).toEqual([])
}
