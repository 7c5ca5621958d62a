import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openBrowser, openTab, settlePages } from '../support/browser.ts'
import { type FirstScreens, openFirstScreens } from '../support/first-screens.ts'
import { WAIT_MS } from '../support/page-actions.ts'

let screens: FirstScreens
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  ;[screens, browser] = await Promise.all([openFirstScreens(), openBrowser()])
}, 120_000)
afterAll(() => Promise.all([browser?.close(), screens?.close()]))

/** What each screen reads before it shows its data, besides the user. */
const earlyReads: Readonly<Record<string, readonly string[]>> = {
  home: ['/portal/api/overview'],
  moderation: ['/api/moderation'],
  player: ['/api/moderation', '/portal/api/players'],
  'active bans': ['/api/moderation', '/portal/api/actors', '/portal/api/saved-views'],
  'ban history': ['/api/moderation', '/portal/api/actors', '/portal/api/saved-views'],
  'all cases': ['/api/moderation', '/portal/api/actors', '/portal/api/saved-views'],
  case: ['/api/moderation'],
  departments: ['/portal/api/departments'],
  people: ['/portal/api/members'],
  roles: ['/portal/api/roles', '/portal/api/roles/holdings'],
  'API keys': ['/portal/api/api-keys'],
  'endpoint controls': ['/portal/api/endpoint-controls'],
  'audit log': ['/portal/api/audit'],
  account: [],
}

for (const [name, reads] of Object.entries(earlyReads)) {
  test(`as the first screen, ${name} reads its data once, without waiting for the scripts`, async () => {
    const screen = screens.find(name)
    const paths: string[] = []
    const early = Promise.withResolvers<readonly string[]>()
    const tab = await openTab(browser, screen.url, {}, screens.cookies(screen), async (page) => {
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (!/^\/(portal\/)?api\//.test(pathname) || pathname === '/portal/api/live') return
        paths.push(pathname)
        if (paths.length === reads.length + 1) early.resolve(paths.toSorted())
      })
      // The script arrives only after the reads were sent.
      await page.route(/\/main-\w+\.js$/, async (route) => {
        await early.promise
        await route.continue()
      })
    })
    expect(await early.promise).toEqual([...reads, '/portal/api/me'].sort())
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    await settlePages(WAIT_MS)
    const readAgain = [...reads, '/portal/api/me'].filter(
      (path) => paths.filter((sent) => sent === path).length > 1,
    )
    expect(readAgain).toEqual([])
    await tab.close()
  }, 60_000)
}
