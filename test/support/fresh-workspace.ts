import type { Permission } from '@reeve/core'
import { openBrowser, openTab } from './browser.ts'
import { waitForHeading } from './page-actions.ts'
import { GROUP, startTestServer } from './server.ts'

type Tab = Awaited<ReturnType<typeof openTab>>

/** Waits until what others change comes to a page by itself, on a page that is loaded anew. */
export async function reloadAndFollow({ page }: Pick<Tab, 'page'>): Promise<void> {
  await Promise.all([page.waitForResponse(/\/portal\/api\/live\?/), page.reload()])
}

/** A place and a browser for a file of tests, each of which gets a workspace of its own. */
export async function openE2eWorkspaces() {
  const [browser, server] = await Promise.all([openBrowser(), startTestServer()])
  const { session: owner } = await server.setUp()
  const tabs: Tab[] = []
  let memberCount = 0

  /** A new workspace, and somebody in it: its owner, or a member with just these permissions. */
  async function createWorkspace(permissions?: readonly Permission[]) {
    const created = await server.requestOk('POST', '/api/workspaces', {
      session: owner,
      body: { groupName: GROUP },
    })
    const workspaceId = String(created.body.workspace.id)
    const workspaceRef = { workspaceId, session: owner }
    const username = `wren${++memberCount}`
    const session = permissions ? await server.createMember(workspaceRef, username, permissions) : owner
    return {
      workspaceId,
      session,
      username,
      /** Opens a screen of it, known by its heading. */
      async openScreen(
        path: string,
        headingText: string,
        options: Parameters<typeof openTab>[2] = {},
        sessionToken = session,
      ) {
        const url = `${server.origin}/w/${workspaceId}${path}`
        const tab = await openTab(browser, url, options, [server.cookie(sessionToken)])
        tabs.push(tab)
        await waitForHeading(tab.page, headingText)
        return tab
      },
      /** Does as its owner what has to go well. */
      requestAsOwner: async (method: string, path: string, body: object = {}) =>
        (await server.requestOk(method, path, { session: owner, body: { workspaceId, ...body } })).body,
      /** Reads as its owner. */
      readAsOwner: async (path: string, query = '') =>
        (await server.requestOk('GET', `${path}?workspaceId=${workspaceId}${query}`, { session: owner }))
          .body,
      /** Makes a call to the public interface with a key. */
      async requestWithKey(secret: string, path: string, body?: object) {
        const response = await fetch(
          `${server.origin}/api/${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`,
          {
            method: body ? 'POST' : 'GET',
            headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
          },
        )
        return { status: response.status, body: await response.json() }
      },
    }
  }

  return {
    server,
    owner,
    createWorkspace,
    /** Closes the pages of a test. */
    closeTabs: () => Promise.all(tabs.splice(0).map((openedTab) => openedTab.close())),
    close: () => Promise.all([browser.close(), server.close()]),
  }
}
