import { openBrowser, openPage } from './browser.ts'
import { openPlace } from './place.ts'
import { heading } from './portal.ts'

/** What stands in texts that people wrote, to see whether it is run: it would leave a mark on the page. */
export const PLANTED = '"><script>planted=1</script><img src=x onerror=planted=1>'

/** What does not come within this does not come: the test tells what it waited for. */
const WAIT_MS = 30_000

/** A place that is set up and a browser, for all tests of a file; the pages of one test are closed with `leave`. */
export async function openStay() {
  const [browser, place] = await Promise.all([openBrowser(), openPlace()])
  const owner = await place.setUp()
  const opened: Awaited<ReturnType<typeof openPage>>[] = []
  return {
    place,
    owner,
    /** Makes a call of the owner's on their workspace, which has to go well. @returns what was answered */
    async asOwner(method: string, path: string, body: object = {}, workspaceId = owner.workspaceId) {
      const { session } = owner
      return (await place.must(method, path, { session, body: { workspaceId, ...body } })).body
    },
    /** Makes another workspace of the owner's. @returns its id */
    async workspace(groupName: string): Promise<string> {
      const { session } = owner
      const { body } = await place.must('POST', '/api/workspaces', { session, body: { groupName } })
      return String(body.workspace.id)
    },
    /** Opens a screen. @param session null for nobody's @param screen its heading, which is waited for */
    async visit(
      session: string | null,
      path: string,
      screen: string,
      options: Parameters<typeof openPage>[2] = {},
    ) {
      const cookies = session === null ? [] : [place.cookie(session)]
      const page = await openPage(browser, `${place.origin}${path}`, options, cookies)
      opened.push(page)
      page.page.setDefaultTimeout(WAIT_MS)
      await heading(page.page, screen)
      return page
    },
    leave: () => Promise.all(opened.splice(0).map((one) => one.close())),
    close: () => Promise.all([browser.close(), place.close()]),
  }
}

export type Stay = Awaited<ReturnType<typeof openStay>>
