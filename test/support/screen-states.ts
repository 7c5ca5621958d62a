import type { Page } from 'playwright-core'
import { waitUntil } from './page-actions.ts'
import { GROUP, OWNER, startTestServer, type TestServer } from './server.ts'

/** A place that is set up: its operator owns a workspace, and each screen may have put what it shows into it. */
export interface ScreenContext {
  readonly server: TestServer
  /** The operator and owner. */
  readonly owner: { readonly username: string; readonly session: string }
  readonly workspaceId: string
}

/** A screen as it can look, registered by a file of `test/screens/`: tested and pictured with all the others. */
export interface ScreenState {
  /** The name of its pictures: `account-sessions`. */
  readonly name: string
  /** Its address; `/w/$` stands for that of the workspace. Told late, where it is of what `prepare` made. */
  readonly path: string | (() => string)
  /** Who looks: the owner by default, nobody, or whoever this begins a session of. */
  readonly as?: 'owner' | 'nobody' | ((context: ScreenContext) => Promise<string>)
  /** On an instance without any account. */
  readonly isEmpty?: boolean
  /** The heading that says that it is there. */
  readonly heading: string
  /** What is done there first, such as opening a dialog, and waited for. */
  readonly arrange?: (page: Page, context: ScreenContext) => Promise<void>
  /** What a browser may complain of there, such as an answer that is a refusal. */
  readonly allowedErrors?: RegExp
}

/** What a file of `test/screens/` exports. */
export interface ScreenFile {
  /** Puts what the screens show into the scene, once, through the interface. */
  readonly prepare?: (context: ScreenContext) => Promise<void>
  readonly states: readonly ScreenState[]
}

/** Every file of `test/screens/`. */
async function importScreenFiles(): Promise<ScreenFile[]> {
  const names = [...new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/../screens`)].sort()
  return Promise.all(
    names.map(async (name) => ((await import(`../screens/${name}`)) as { screens: ScreenFile }).screens),
  )
}

/** How every screen can look. */
export const listScreenStates = async (): Promise<ScreenState[]> =>
  (await importScreenFiles()).flatMap(({ states }) => states)

async function prepareServer(server: TestServer, files: readonly ScreenFile[]): Promise<ScreenContext> {
  const { session, workspaceId } = await server.setUp(GROUP)
  const context: ScreenContext = { server, owner: { username: OWNER, session }, workspaceId }
  for (const { prepare } of files) await prepare?.(context)
  return context
}

/** Sets a place up, and lets every screen put into it what it shows. */
export async function openScreenServers() {
  const files = await importScreenFiles()
  const [emptyServer, server] = await Promise.all([startTestServer(), startTestServer()])
  const close = () => Promise.all([emptyServer.close(), server.close()])
  const preparing = prepareServer(server, files)
  // What was begun is ended, also where a screen cannot put in what it shows.
  await preparing.catch(close)
  const context = await preparing
  const { workspaceId, owner } = context

  const createSession = async ({ as = 'owner', isEmpty }: ScreenState): Promise<string | null> => {
    if (isEmpty || as === 'nobody') return null
    return as === 'owner' ? owner.session : as(context)
  }
  return {
    context,
    /** Where a look is, and the cookies of who looks. */
    async resolve(state: ScreenState) {
      const { origin, cookie } = state.isEmpty ? emptyServer : server
      const token = await createSession(state)
      const path = typeof state.path === 'string' ? state.path : state.path()
      return {
        url: `${origin}${path.replace('/w/$', `/w/${workspaceId}`)}`,
        cookies: token === null ? [] : [cookie(token)],
      }
    },
    close,
  }
}

/** Does what leads to a look, on a page that is at its address. */
export async function arrange(page: Page, state: ScreenState, context: ScreenContext): Promise<void> {
  await page.getByRole('heading', { name: state.heading, level: 1 }).waitFor()
  await state.arrange?.(page, context)
  await waitForIdle(page)
}

/** Waits until nothing is loading and nothing moves any more. */
export async function waitForIdle(page: Page): Promise<void> {
  await waitUntil(page, '!document.querySelector("[aria-busy=true], [data-loading]")')
  await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))')
}

/** Shows a page in light or dark colours, as a device does at dusk. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await waitUntil(page, `document.documentElement.dataset.mantineColorScheme === '${colorScheme}'`)
  await waitForIdle(page)
}

/** A phone and a desk. */
export const widths = [390, 1440] as const
export const HEIGHT = 844
export const colorSchemes = ['light', 'dark'] as const
