import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** The host of every test server. Its port is not part of the site, so all of them share a process. */
const SITE = 'http://127.0.0.1/'

/** How many tests use a context: the memory of its process grows with each. */
const MAX_USES = 30

interface ReusedContext {
  readonly context: BrowserContext
  /** Opens an empty page in the process of the site. One from `newPage` has its own until its first navigation. */
  readonly openPage: () => Promise<Page>
  /** Makes the context as if it were new, except for the cache and the process of its pages. */
  readonly reset: () => Promise<unknown>
  /** Whether a test has replaced the clock of its pages, which stays so. */
  readonly hasOwnClock: () => Promise<boolean>
  uses: number
}

async function openReusedContext(browser: Browser, options: BrowserContextOptions): Promise<ReusedContext> {
  const context = await browser.newContext(options)
  // The process of a site ends with its last page, so this one stays open.
  const lastingPage = await context.newPage()
  await lastingPage.route(SITE, (route) => route.fulfill({ body: '' }))
  await lastingPage.goto(SITE)
  const devTools = await context.newCDPSession(lastingPage)
  const visitedOrigins = new Set<string>()
  context.on('request', (request) => {
    if (request.isNavigationRequest()) visitedOrigins.add(new URL(request.url()).origin)
  })
  return {
    context,
    uses: 0,
    async openPage() {
      const opened = context.waitForEvent('page')
      await lastingPage.evaluate("open('about:blank').opener = null")
      return opened
    },
    hasOwnClock: () => lastingPage.evaluate<boolean>("!String(setTimeout).includes('[native code]')"),
    async reset() {
      const pages = context.pages().filter((page) => page !== lastingPage)
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await Promise.all(pages.map((page) => page.close()))
      await Promise.all([
        context.setOffline(false),
        context.clearPermissions(),
        context.clearCookies(),
        ...[...visitedOrigins].map((origin) =>
          devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
        ),
      ])
      visitedOrigins.clear()
    },
  }
}

/**
 * Contexts that one test after another uses, which takes a tenth less processor time than a new one for each test, because the process of
 * the pages and the scripts that it has compiled remain. Nothing that a test stores remains.
 * @param browser has the flag `--process-per-site`, without which each page has a process of its own
 */
export function createReusedContexts(browser: Browser) {
  const free = new Map<string, ReusedContext[]>()
  /** Those that tests use, each with the list of free ones to which it goes back. */
  const used = new Map<BrowserContext, { reused: ReusedContext; freeOnes: ReusedContext[] }>()
  return {
    /** @param options only a context with the same ones is used again */
    async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
      const key = JSON.stringify(options)
      const freeOnes = free.get(key) ?? []
      free.set(key, freeOnes)
      const reused = freeOnes.pop() ?? (await openReusedContext(browser, options))
      reused.uses += 1
      used.set(reused.context, { reused, freeOnes })
      return reused.context
    },
    async openPage(context: BrowserContext): Promise<Page> {
      const entry = used.get(context)
      if (!entry) throw new Error('The context was given back.')
      return entry.reused.openPage()
    },
    /** Gives a context back for the next test. One that is already given back stays so. */
    async endContext(context: BrowserContext): Promise<void> {
      const entry = used.get(context)
      if (!entry) return
      used.delete(context)
      const { reused, freeOnes } = entry
      if (reused.uses === MAX_USES || (await reused.hasOwnClock())) return context.close()
      await reused.reset()
      freeOnes.push(reused)
    },
  }
}
