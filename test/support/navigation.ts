import type { BrowserContextOptions, Page } from 'playwright-core'
import type { openE2eSessionPerTest } from './e2e-session.ts'

type Session = Awaited<ReturnType<typeof openE2eSessionPerTest>>

/** Returns a function that opens a path as the owner of a new instance. `$` in the path is the id of the workspace. */
export const createOpenPath =
  (e2e: Session) =>
  async (path: string, browser: BrowserContextOptions = {}) => {
    const server = await e2e.startServer()
    const owner = await server.setUp()
    const { session } = owner
    const tab = await e2e.openScreen(path.replace('$', owner.workspaceId), { session, browser })
    return { server, owner, tab, page: tab.page }
  }

/** The links of a navigation, by its name. */
export const listLinks = (page: Page, navigation: string): Promise<string[]> =>
  page.getByRole('navigation', { name: navigation }).getByRole('link').allInnerTexts()
