import type { Permission } from '@reeve/core'
import { openBrowser, openPage } from './browser.ts'
import { GROUP, openPlace } from './place.ts'
import { heading } from './portal.ts'

type Opened = Awaited<ReturnType<typeof openPage>>

/** Waits until what others change comes to a page by itself, on a page that is loaded anew. */
export async function followed({ page }: Pick<Opened, 'page'>): Promise<void> {
  await Promise.all([page.waitForResponse(/\/portal\/api\/live\?/), page.reload()])
}

/** A place and a browser for a file of tests, each of which gets a workspace of its own. */
export async function openFreshWorkspaces() {
  const [browser, place] = await Promise.all([openBrowser(), openPlace()])
  const { session: owner } = await place.setUp()
  const opened: Opened[] = []
  let members = 0

  /** A new workspace, and somebody in it: its owner, or a member with just these permissions. */
  async function workspace(permissions?: readonly Permission[]) {
    const made = await place.must('POST', '/api/workspaces', { session: owner, body: { groupName: GROUP } })
    const workspaceId = String(made.body.workspace.id)
    const of = { workspaceId, session: owner }
    const username = `wren${++members}`
    const session = permissions ? await place.member(of, username, permissions) : owner
    return {
      workspaceId,
      session,
      username,
      /** Opens a screen of it, known by its heading. */
      async visit(path: string, title: string, options: Parameters<typeof openPage>[2] = {}, as = session) {
        const address = `${place.origin}/w/${workspaceId}${path}`
        const page = await openPage(browser, address, options, [place.cookie(as)])
        opened.push(page)
        await heading(page.page, title)
        return page
      },
      /** Does as its owner what has to go well. */
      must: async (method: string, path: string, body: object = {}) =>
        (await place.must(method, path, { session: owner, body: { workspaceId, ...body } })).body,
      /** Reads as its owner. */
      read: async (path: string, query = '') =>
        (await place.must('GET', `${path}?workspaceId=${workspaceId}${query}`, { session: owner })).body,
      /** Makes a call to the public interface with a key. */
      async callWith(secret: string, path: string, body?: object) {
        const response = await fetch(
          `${place.origin}/api/${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`,
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
    place,
    owner,
    workspace,
    /** Closes the pages of a test. */
    leave: () => Promise.all(opened.splice(0).map((one) => one.close())),
    close: () => Promise.all([browser.close(), place.close()]),
  }
}
