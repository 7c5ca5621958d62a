import type { Page } from 'playwright-core'
import { waitUntil } from './page-actions.ts'
import { GROUP, OWNER, startTestServer, type TestServer } from './server.ts'
import { setVerifiedAt } from './session-verifications.ts'
import { OUTBOUND_TO_TESTS } from './webhook-receiver.ts'

/** A server with an owner, whose workspace contains the data that the screens show. */
export interface ScreenContext {
  readonly server: TestServer
  /** The operator, who owns the workspace. */
  readonly owner: { readonly username: string; readonly session: string }
  readonly workspaceId: string
}

/** A state of a screen, registered by a file of `test/screens/`, for the accessibility test and the screenshots. */
export interface ScreenState {
  /** The name of its pictures: `account-sessions`. */
  readonly name: string
  /** Its path; `/w/$` is the path of the workspace. A function if it depends on what `prepare` created. */
  readonly path: string | (() => string)
  /** The user: the owner by default, anonymous, or the session that this creates. */
  readonly as?: 'owner' | 'anonymous' | ((context: ScreenContext) => Promise<string>)
  /** Whether it needs a server without accounts. */
  readonly isEmpty?: boolean
  /** The heading to wait for. */
  readonly heading: string
  /** Actions that lead to the state, such as opening a dialog. */
  readonly arrange?: (page: Page, context: ScreenContext) => Promise<void>
  /** Whether the page needs a host name in its address, as passkeys do. */
  readonly needsHostName?: boolean
  /** Expected errors in the console, such as a rejected request. */
  readonly allowedErrors?: RegExp
}

/** What a file of `test/screens/` exports. */
export interface ScreenFile {
  /** Creates what the screens show, once, through the API. */
  readonly prepare?: (context: ScreenContext) => Promise<void>
  readonly states: readonly ScreenState[]
}

/** The files of `test/screens/`, in the order of their names. */
export async function importScreenFiles(): Promise<ScreenFile[]> {
  const names = [...new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/../screens`)].sort()
  return Promise.all(
    names.map(async (name) => ((await import(`../screens/${name}`)) as { screens: ScreenFile }).screens),
  )
}

/** Every state of every screen. */
export const listScreenStates = async (): Promise<ScreenState[]> =>
  (await importScreenFiles()).flatMap(({ states }) => states)

async function prepareServer(server: TestServer, files: readonly ScreenFile[]): Promise<ScreenContext> {
  const { session, workspaceId } = await server.setUp(GROUP)
  const context: ScreenContext = { server, owner: { username: OWNER, session }, workspaceId }
  for (const { prepare } of files) await prepare?.(context)
  return context
}

/** Ten minutes after a sign-in, the server asks to confirm it before some actions; all screens can take longer. */
const VERIFY_AGAIN_MS = 300_000

/** Starts an empty server and one that every screen has prepared. */
export async function openScreenServers() {
  const files = await importScreenFiles()
  const [emptyServer, server] = await Promise.all([startTestServer(), startTestServer(OUTBOUND_TO_TESTS)])
  const close = () => Promise.all([emptyServer.close(), server.close()])
  const preparing = prepareServer(server, files)
  // Stop both servers if a screen cannot prepare its data.
  await preparing.catch(close)
  const context = await preparing
  const { workspaceId, owner } = context

  let verifiedAt = performance.now()
  const keepVerified = async (): Promise<void> => {
    if (performance.now() - verifiedAt < VERIFY_AGAIN_MS) return
    verifiedAt = performance.now()
    setVerifiedAt(server.dataDir, Date.now())
    // Its commit makes the server read the change.
    await server.session()
  }
  const createSession = async ({ as = 'owner', isEmpty }: ScreenState): Promise<string | null> => {
    if (isEmpty || as === 'anonymous') return null
    return as === 'owner' ? owner.session : as(context)
  }
  return {
    context,
    /** The URL of a state and the cookies of its user. */
    async resolve(state: ScreenState) {
      await keepVerified()
      const { origin, cookie } = state.isEmpty ? emptyServer : server
      const token = await createSession(state)
      const path = typeof state.path === 'string' ? state.path : state.path()
      const url = new URL(path.replace('/w/$', `/w/${workspaceId}`), origin)
      if (state.needsHostName) url.hostname = 'localhost'
      return {
        url: url.href,
        cookies: token === null ? [] : [{ ...cookie(token), url: url.origin }],
      }
    },
    close,
  }
}

/** Runs the actions that lead to a state on a page at its URL. */
export async function arrange(page: Page, state: ScreenState, context: ScreenContext): Promise<void> {
  await page.getByRole('heading', { name: state.heading, level: 1 }).waitFor()
  // What has not loaded yet would move what is clicked.
  await waitForIdle(page)
  await state.arrange?.(page, context)
  await waitForIdle(page)
}

/** Waits until nothing loads, and taps reach what has just moved, and lets everything that moves arrive at once. */
export async function waitForIdle(page: Page): Promise<void> {
  await waitUntil(page, '!document.querySelector("[aria-busy=true], [data-loading], [data-moved]")')
  await page.evaluate(`Promise.allSettled(document.getAnimations().map((one) => {
    // One without an end, such as that of a skeleton, ends when its element is removed.
    if (one.effect.getComputedTiming().endTime < Infinity) one.finish()
    return one.finished
  }))`)
}

/** Switches the page between the light and the dark color scheme. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // A page without scripts has none, and its styles follow at once.
  const shown = 'document.documentElement.dataset.mantineColorScheme'
  await waitUntil(page, `(${shown} ?? '${colorScheme}') === '${colorScheme}'`)
  await waitForIdle(page)
}

/** Widths of a phone and a desktop. */
export const widths = [390, 1440] as const
export const HEIGHT = 844
export const colorSchemes = ['light', 'dark'] as const
