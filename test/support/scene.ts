import type { Page } from 'playwright-core'
import { GROUP, OWNER, openPlace, type Place } from './place.ts'
import { until } from './portal.ts'

/** A place that is set up: its operator owns a workspace, and each screen may have put what it shows into it. */
export interface Scene {
  readonly place: Place
  /** The operator and owner. */
  readonly owner: { readonly username: string; readonly session: string }
  readonly workspaceId: string
}

/** A screen as it can look, registered by a file of `test/screens/`: tested and pictured with all the others. */
export interface Look {
  /** The name of its pictures: `account-sessions`. */
  readonly name: string
  /** Its address; `/w/$` stands for that of the workspace. Told late, where it is of what `prepare` made. */
  readonly at: string | (() => string)
  /** Who looks: the owner by default, nobody, or whoever this begins a session of. */
  readonly as?: 'owner' | 'nobody' | ((scene: Scene) => Promise<string>)
  /** On an instance without any account. */
  readonly isEmpty?: boolean
  /** The heading that says that it is there. */
  readonly heading: string
  /** What is done there first, such as opening a dialog, and waited for. */
  readonly reach?: (page: Page, scene: Scene) => Promise<void>
  /** What a browser may complain of there, such as an answer that is a refusal. */
  readonly complaints?: RegExp
}

/** What a file of `test/screens/` exports. */
export interface Screens {
  /** Puts what the screens show into the scene, once, through the interface. */
  readonly prepare?: (scene: Scene) => Promise<void>
  readonly looks: readonly Look[]
}

/** Every file of `test/screens/`. */
async function everyFile(): Promise<Screens[]> {
  const names = [...new Bun.Glob('*.ts').scanSync(`${import.meta.dir}/../screens`)].sort()
  return Promise.all(
    names.map(async (name) => ((await import(`../screens/${name}`)) as { screens: Screens }).screens),
  )
}

/** How every screen can look. */
export const everyLook = async (): Promise<Look[]> => (await everyFile()).flatMap(({ looks }) => looks)

async function prepareIn(place: Place, files: readonly Screens[]): Promise<Scene> {
  const { session, workspaceId } = await place.setUp(GROUP)
  const scene: Scene = { place, owner: { username: OWNER, session }, workspaceId }
  for (const { prepare } of files) await prepare?.(scene)
  return scene
}

/** Sets a place up, and lets every screen put into it what it shows. */
export async function openScenes() {
  const files = await everyFile()
  const [empty, place] = await Promise.all([openPlace(), openPlace()])
  const close = () => Promise.all([empty.close(), place.close()])
  const prepared = prepareIn(place, files)
  // What was begun is ended, also where a screen cannot put in what it shows.
  await prepared.catch(close)
  const scene = await prepared
  const { workspaceId, owner } = scene

  const sessionOf = async ({ as = 'owner', isEmpty }: Look): Promise<string | null> => {
    if (isEmpty || as === 'nobody') return null
    return as === 'owner' ? owner.session : as(scene)
  }
  return {
    scene,
    /** Where a look is, and the cookies of who looks. */
    async of(look: Look) {
      const { origin, cookie } = look.isEmpty ? empty : place
      const token = await sessionOf(look)
      const at = typeof look.at === 'string' ? look.at : look.at()
      return {
        address: `${origin}${at.replace('/w/$', `/w/${workspaceId}`)}`,
        cookies: token === null ? [] : [cookie(token)],
      }
    },
    close,
  }
}

/** Does what leads to a look, on a page that is at its address. */
export async function reach(page: Page, look: Look, scene: Scene): Promise<void> {
  await page.getByRole('heading', { name: look.heading, level: 1 }).waitFor()
  await look.reach?.(page, scene)
  await settled(page)
}

/** Waits until nothing is loading and nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await until(page, '!document.querySelector("[aria-busy=true], [data-loading]")')
  await page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))')
}

/** Shows a page in light or dark colours, as a device does at dusk. */
export async function dress(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await until(page, `document.documentElement.dataset.mantineColorScheme === '${colorScheme}'`)
  await settled(page)
}

/** A phone and a desk. */
export const widths = [390, 1440] as const
export const HEIGHT = 844
export const schemes = ['light', 'dark'] as const
