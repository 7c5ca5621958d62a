import { openBrowser, openTab } from './browser.ts'
import { waitForHeading } from './page-actions.ts'
import { startTestServer } from './server.ts'

/** What stands in texts that people wrote, to see whether it is run: it would leave a mark on the page. */
export const XSS_PAYLOAD = '"><script>planted=1</script><img src=x onerror=planted=1>'

/** What does not come within this does not come: the test tells what it waited for. */
const WAIT_MS = 30_000

/** A place that is set up and a browser, for all tests of a file; the pages of one test are closed with `leave`. */
export async function openE2eSession() {
  const [browser, server] = await Promise.all([openBrowser(), startTestServer()])
  const owner = await server.setUp()
  const tabs: Awaited<ReturnType<typeof openTab>>[] = []
  return {
    server,
    owner,
    /** Makes a call of the owner's on their workspace, which has to go well. @returns what was answered */
    async requestAsOwner(method: string, path: string, body: object = {}, workspaceId = owner.workspaceId) {
      const { session } = owner
      return (await server.requestOk(method, path, { session, body: { workspaceId, ...body } })).body
    },
    /** Makes another workspace of the owner's. @returns its id */
    async createWorkspace(groupName: string): Promise<string> {
      const { session } = owner
      const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
      return String(body.workspace.id)
    },
    /** Opens a screen. @param session null for nobody's @param screen its heading, which is waited for */
    async openScreen(
      session: string | null,
      path: string,
      headingText: string,
      options: Parameters<typeof openTab>[2] = {},
    ) {
      const cookies = session === null ? [] : [server.cookie(session)]
      const tab = await openTab(browser, `${server.origin}${path}`, options, cookies)
      tabs.push(tab)
      tab.page.setDefaultTimeout(WAIT_MS)
      await waitForHeading(tab.page, headingText)
      return tab
    },
    closeTabs: () => Promise.all(tabs.splice(0).map((openedTab) => openedTab.close())),
    close: () => Promise.all([browser.close(), server.close()]),
  }
}

export type E2eSession = Awaited<ReturnType<typeof openE2eSession>>
