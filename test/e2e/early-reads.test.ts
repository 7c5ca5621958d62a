import { expect, test } from 'bun:test'
import { MAX_DATA_WAIT_MS } from '@reeve/portal/first-screen-wait'
import { openTab, settlePages } from '../support/browser.ts'
import { openFirstScreens } from '../support/first-screens.ts'
import { WAIT_MS } from '../support/page-actions.ts'
import { useScreens } from '../support/use-screens.ts'

const opened = useScreens(openFirstScreens)

/** What a screen reads before it shows its data, besides the user. */
interface ScreenReads {
  readonly screen: string
  /** The query of its URL. */
  readonly search?: string
  readonly reads: readonly string[]
}

const records = ['/api/moderation', '/portal/api/actors', '/portal/api/saved-views']
const screenReads: readonly ScreenReads[] = [
  { screen: 'home', reads: ['/portal/api/overview'] },
  { screen: 'moderation', reads: ['/api/moderation'] },
  { screen: 'player', reads: ['/api/moderation', '/portal/api/players'] },
  { screen: 'active bans', reads: records },
  { screen: 'active mutes', reads: records },
  { screen: 'ban history', reads: records },
  { screen: 'ban history', search: '?status=expired&severity=high', reads: records },
  { screen: 'all cases', reads: records },
  {
    screen: 'all cases',
    search: '?text=chat+%26+%27words%27+(two)*~%3Cb%3E&action=ban,mute',
    reads: records,
  },
  { screen: 'case', reads: ['/api/moderation'] },
  { screen: 'inbox', reads: ['/portal/api/inbox', '/portal/api/inbox/counts'] },
  { screen: 'departments', reads: ['/portal/api/departments'] },
  { screen: 'people', reads: ['/portal/api/members'] },
  { screen: 'people', search: '?q=ro', reads: ['/portal/api/members'] },
  { screen: 'roles', reads: ['/portal/api/roles', '/portal/api/roles/holdings'] },
  {
    screen: 'roles',
    search: '?view=permissions',
    reads: ['/portal/api/roles', '/portal/api/roles/holdings'],
  },
  { screen: 'API keys', reads: ['/portal/api/api-keys'] },
  { screen: 'endpoint controls', reads: ['/portal/api/endpoint-controls'] },
  { screen: 'reasons and ladders', reads: ['/api/moderation/templates'] },
  { screen: 'webhooks', reads: ['/api/webhooks'] },
  { screen: 'webhook', reads: ['/api/webhooks', '/api/webhooks/deliveries'] },
  { screen: 'audit log', reads: ['/portal/api/audit'] },
  { screen: 'audit log', search: '?what=moderation.*&caseNumber=1,2', reads: ['/portal/api/audit'] },
  { screen: 'account', reads: [] },
]

/** Runs in the page before its scripts: how busy the machine is does not decide whether the data come in time. */
const WAIT_FOR_DATA = `{
  const { setTimeout } = globalThis
  globalThis.setTimeout = (handler, delay, ...args) =>
    setTimeout(handler, delay === ${MAX_DATA_WAIT_MS} ? ${WAIT_MS} : delay, ...args)
}`

/** Runs in the page before its scripts: whether a placeholder took the place of the data when the heading first appeared. */
const OBSERVE_FIRST_RENDERING = `{
  globalThis.hasPlaceholder = null
  new MutationObserver((_, observer) => {
    if (!document.querySelector('h1')) return
    observer.disconnect()
    globalThis.hasPlaceholder = document.querySelector('main [aria-busy=true]') !== null
  }).observe(document, { childList: true, subtree: true })
}`

for (const { screen: name, search = '', reads } of screenReads) {
  test(`as the first screen, ${name}${search} requests its data once, before the scripts are loaded, and is rendered with it`, async () => {
    const screen = opened.screens.find(name)
    const paths: string[] = []
    const early = Promise.withResolvers<readonly string[]>()
    const responses: Promise<unknown>[] = []
    const tab = await openTab(
      opened.browser,
      screen.url + search,
      {},
      opened.screens.cookies(screen),
      async (page) => {
        await page.addInitScript({ content: `${WAIT_FOR_DATA}\n${OBSERVE_FIRST_RENDERING}` })
        page.on('request', (request) => {
          const { pathname } = new URL(request.url())
          if (!/^\/(portal\/)?api\//.test(pathname) || pathname === '/portal/api/live') return
          paths.push(pathname)
          // One that is sent later may still run when the test ends.
          if (paths.length <= reads.length + 1)
            responses.push(request.response().then((response) => response?.finished()))
          if (paths.length === reads.length + 1) early.resolve(paths.toSorted())
        })
        // The scripts arrive only after the data.
        await page.route(/\/main-\w+\.js$/, async (route) => {
          await early.promise
          await Promise.all(responses)
          await route.continue()
        })
      },
    )
    expect(await early.promise).toEqual([...reads, '/portal/api/me'].sort())
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    await settlePages(WAIT_MS)
    const readAgain = [...reads, '/portal/api/me'].filter(
      (path) => paths.filter((sent) => sent === path).length > 1,
    )
    expect(readAgain).toEqual([])
    if (reads.length > 0) expect(await tab.page.evaluate<boolean | null>('hasPlaceholder')).toBe(false)
    await tab.close()
  }, 60_000)
}
