import { afterAll, afterEach, beforeAll, beforeEach, setDefaultTimeout } from 'bun:test'
import type { Permission } from '@reeve/core'
import type { BrowserContextOptions } from 'playwright-core'
import {
  type Browser,
  type InstanceServer,
  openBrowser,
  openInstanceServer,
  openTab,
  type Tab,
} from './browser.ts'
import type { InstanceOptions } from './instance-options.ts'
import { WAIT_MS, waitForHeading } from './page-actions.ts'
import { GROUP, startTestServer, type TestServer } from './server.ts'

/** Limit for one browser test and for opening its session: several screens on a busy machine. */
const TEST_TIMEOUT_MS = 60_000

export interface OpenScreenOptions {
  /** Session token; `null` for an anonymous visitor. Defaults to the owner of a session that has one. */
  readonly session?: string | null
  /** Heading to wait for. */
  readonly heading?: string
  readonly browser?: BrowserContextOptions
}

/** What every test file needs: `resetTest` closes what one test opened, `close` what the file opened. */
interface Session {
  resetTest(): Promise<unknown>
  close(): Promise<unknown>
}

/**
 * Opens a session before the tests of a file, resets it after each and closes it at the end. Call it at the top of the file:
 * the members of the result exist once the tests run.
 */
export function useSession<Opened extends Session>(open: () => Promise<Opened>): Opened {
  setDefaultTimeout(TEST_TIMEOUT_MS)
  const session = {} as Opened
  beforeAll(async () => {
    Object.assign(session, await open())
  }, TEST_TIMEOUT_MS)
  // A session that failed to open has neither; its own error is the one to report.
  afterEach(() => session.resetTest?.())
  afterAll(() => session.close?.())
  return session
}

/** How long a page may take to say what it shows, in milliseconds: one that hangs never does. */
const DESCRIBE_MS = 5000

/** What a page shows, and its errors. */
async function describePage({ page, pageErrors }: Tab): Promise<string> {
  const shown = await page.locator('body').ariaSnapshot({ timeout: DESCRIBE_MS }).catch(String)
  return [page.url(), shown, ...pageErrors].join('\n')
}

function createTabs(browser: Browser) {
  const tabs: Tab[] = []
  let firstOpenedAt = 0
  return {
    async openScreen(
      { origin, cookie }: Pick<InstanceServer, 'origin' | 'cookie'>,
      path: string,
      { session = null, heading, browser: contextOptions = {} }: OpenScreenOptions,
    ): Promise<Tab> {
      const cookies = session === null ? [] : [cookie(session)]
      if (tabs.length === 0) firstOpenedAt = performance.now()
      const tab = await openTab(browser.reused, `${origin}${path}`, contextOptions, cookies)
      tabs.push(tab)
      tab.page.setDefaultTimeout(WAIT_MS)
      if (heading !== undefined) await waitForHeading(tab.page, heading)
      return tab
    },
    /** If the test took as long as a wait that failed, prints what its tabs show: the error says only what they do not. */
    async closeTabs() {
      const opened = tabs.splice(0)
      if (performance.now() - firstOpenedAt > WAIT_MS)
        for (const tab of opened) console.log(await describePage(tab))
      await Promise.all(opened.map((tab) => tab.close()))
    },
  }
}

/** A browser for the tests of a file, each of which starts its own empty server. */
export async function openE2eSessionPerTest() {
  const browser = await openBrowser()
  const tabs = createTabs(browser)
  let server: Promise<TestServer> | null = null
  /** The server of this test, started by the first call. It has no account yet. */
  const startServer = (): Promise<TestServer> => {
    server ??= startTestServer()
    return server
  }
  return {
    startServer,
    openScreen: async (path = '/', options: OpenScreenOptions = {}) =>
      tabs.openScreen(await startServer(), path, options),
    async resetTest() {
      await tabs.closeTabs()
      await (await server)?.close()
      server = null
    },
    close: () => browser.close(),
  }
}

/**
 * A browser for the tests of a file, each of which gets an instance in this process, whose clock and jobs it controls. Call it at
 * the top of the file: the members of the result exist once the tests run.
 */
export function useInstancePerTest(options: InstanceOptions = {}) {
  setDefaultTimeout(TEST_TIMEOUT_MS)
  let tabs: ReturnType<typeof createTabs>
  const opened = {
    openScreen: (path: string, screenOptions: OpenScreenOptions = {}): Promise<Tab> =>
      tabs.openScreen(opened, path, screenOptions),
  } as InstanceServer & {
    /** Opens a page, anonymously unless with a session. */
    openScreen(path: string, options?: OpenScreenOptions): Promise<Tab>
  }
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    tabs = createTabs(browser)
  }, TEST_TIMEOUT_MS)
  beforeEach(async () => {
    Object.assign(opened, await openInstanceServer(options))
  })
  afterEach(async () => {
    await tabs.closeTabs()
    await opened.close()
  })
  afterAll(() => browser?.close())
  return opened
}

/** A browser and a server with an owner, shared by all tests of a file. @param env further settings of the server */
export async function openE2eSession(env: Readonly<Record<string, string>> = {}) {
  const [browser, server] = await Promise.all([openBrowser(), startTestServer(env)])
  const owner = await server.setUp()
  const tabs = createTabs(browser)
  const { session } = owner
  let memberCount = 0

  const openScreen = (path: string, options: OpenScreenOptions = {}): Promise<Tab> =>
    tabs.openScreen(server, path, { session, ...options })

  /** @returns the body of the response. @throws unless the status is 200 */
  const requestAsOwner = async (
    method: string,
    path: string,
    body: object = {},
    workspaceId = owner.workspaceId,
  ) => (await server.requestOk(method, path, { session, body: { workspaceId, ...body } })).body

  /** @returns the body of the response. @throws unless the status is 200 */
  const readAsOwner = async (
    path: string,
    query: Readonly<Record<string, string>> = {},
    workspaceId = owner.workspaceId,
  ) =>
    (await server.requestOk('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, { session }))
      .body

  /** Creates another workspace of the owner. @returns its id */
  async function createWorkspace(groupName = GROUP): Promise<string> {
    const { body } = await server.requestOk('POST', '/api/workspaces', { session, body: { groupName } })
    return String(body.workspace.id)
  }

  /** Creates a workspace for one test. With permissions, its screens open as a member who has exactly those. */
  async function createWorkspaceFixture(permissions?: readonly Permission[]) {
    const workspaceId = await createWorkspace()
    const username = `wren${++memberCount}`
    const fixtureSession = permissions
      ? await server.createMember({ workspaceId, session }, username, permissions)
      : session
    return {
      workspaceId,
      session: fixtureSession,
      username,
      openScreen: (path: string, options: OpenScreenOptions = {}) =>
        openScreen(`/w/${workspaceId}${path}`, { session: fixtureSession, ...options }),
      requestAsOwner: (method: string, path: string, body: object = {}) =>
        requestAsOwner(method, path, body, workspaceId),
      readAsOwner: (path: string, query: Readonly<Record<string, string>> = {}) =>
        readAsOwner(path, query, workspaceId),
      /** Sends a request to the public API: POST if it has a body, otherwise GET. */
      requestWithKey: (key: string, path: string, body?: object) =>
        server.requestWithKey(
          key,
          `/api/${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`,
          body,
        ),
    }
  }

  return {
    server,
    owner,
    openScreen,
    requestAsOwner,
    readAsOwner,
    createWorkspace,
    createWorkspaceFixture,
    resetTest: tabs.closeTabs,
    close: () => Promise.all([browser.close(), server.close()]),
  }
}

export type E2eSession = Awaited<ReturnType<typeof openE2eSession>>
