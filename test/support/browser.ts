import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { type Instance, openInstance } from './instance.ts'
import type { InstanceOptions } from './instance-options.ts'
import { createReusedContexts } from './reused-contexts.ts'

/** A headless browser (half the run time of one with a window) that sends no background requests and draws without a GPU process. */
export const launchBrowser = (args: readonly string[] = []) =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-gpu',
      ...args,
    ],
  })

/** Opens the contexts of tabs. */
export interface ContextSource {
  readonly newContext: (options: BrowserContextOptions) => Promise<BrowserContext>
  /** Opens an empty page in one of its contexts; by default, in a process of its own until its first navigation. */
  readonly openPage?: (context: BrowserContext) => Promise<Page>
  /** What a tab does with its context at its end; by default, it closes it. */
  readonly endContext?: (context: BrowserContext) => Promise<unknown>
}

/** Where the tests of a file open their contexts, which share nothing. */
export interface Browser extends ContextSource {
  /** Contexts with the cache and the process of earlier tests, for everything that is not about these. */
  readonly reused: ContextSource
  /** Closes the contexts. */
  readonly close: () => Promise<unknown>
}

/**
 * For pages that are open for seconds, while other tests use the other processors: optimizing their scripts takes more time than it
 * saves, a seventh of that of 104 tests, and so does collecting their garbage on several threads, 8 % of that of 33.
 */
const SHORT_PAGES = '--js-flags=--no-opt --no-maglev --single-threaded-gc'

/**
 * The first two compile scripts while they arrive, also those that the process has compiled for an earlier test, which takes a tenth of
 * opening a screen. The others are those of Playwright's own list that this browser has: only one list counts.
 */
const DISABLED_FEATURES = [
  'ScriptStreaming',
  'BackgroundResourceFetch',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
]

async function launchSharedBrowser() {
  const browser = await launchBrowser([
    '--process-per-site',
    SHORT_PAGES,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
  ])
  return { browser, reused: createReusedContexts(browser) }
}

let shared: ReturnType<typeof launchSharedBrowser> | undefined

const endContext = (source: ContextSource, context: BrowserContext): Promise<unknown> =>
  source.endContext ? source.endContext(context) : context.close()

/** The browser of all test files of this process, with which it ends. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launchSharedBrowser()
  const { browser, reused } = await shared
  const opened: { source: ContextSource; context: BrowserContext }[] = []
  const track = (source: ContextSource): ContextSource => ({
    ...source,
    async newContext(options) {
      const context = await source.newContext(options)
      opened.push({ source, context })
      return context
    },
  })
  return {
    ...track({ newContext: (options) => browser.newContext(options) }),
    reused: track(reused),
    close: () => Promise.all(opened.map(({ source, context }) => endContext(source, context))),
  }
}

/** The pages that are open in this process, with the scripts that each is loading. */
const openPages = new Map<Page, Set<Request>>()

/** A shorter timer is part of what the page is doing, such as a debounce; a longer one, such as that of a toast, is not. */
const MAX_ACTIVITY_TIMER_MS = 500

/**
 * Runs in the page before its scripts: counts requests, until their responses have been received completely, and short timers
 * that are still pending.
 */
const TRACK_ACTIVITY = `{
  let requests = 0
  const timers = new Set()
  const { fetch, setTimeout, clearTimeout } = globalThis
  globalThis.fetch = (...args) => {
    requests += 1
    const response = fetch(...args)
    response
      .then((received) => received.clone().arrayBuffer())
      .catch(() => {})
      .finally(() => { requests -= 1 })
    return response
  }
  const { send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.send = function (...args) {
    requests += 1
    this.addEventListener('loadend', () => { requests -= 1 })
    send.apply(this, args)
  }
  globalThis.setTimeout = (handler, delay = 0, ...args) => {
    if (delay > ${MAX_ACTIVITY_TIMER_MS} || typeof handler !== 'function') return setTimeout(handler, delay, ...args)
    const id = setTimeout(() => { timers.delete(id); handler(...args) }, delay)
    timers.add(id)
    return id
  }
  globalThis.clearTimeout = (id) => {
    timers.delete(id)
    clearTimeout(id)
  }
  globalThis.isActive = () => requests > 0 || timers.size > 0
}`

/** Resolves in the page once it was idle for three frames in a row. */
const WAIT_UNTIL_IDLE = `new Promise((resolve) => {
  const check = (frames) => requestAnimationFrame(() => {
    if (frames === 0) resolve()
    else check(globalThis.isActive?.() ? 3 : frames - 1)
  })
  check(3)
})`

/**
 * Waits until every open page has finished what it is doing: no request, no script and no short timer is pending, and the result is
 * rendered. Changes that arrive through a live stream are not covered: wait for their refetch.
 * @throws Error if a page is still active after `limitMs`
 */
export async function settlePages(limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  for (const [page, loadingScripts] of openPages) {
    while (!(await isIdle(page, deadline)) || loadingScripts.size > 0) {
      if (performance.now() > deadline) throw new Error(`${page.url()} is still active after ${limitMs} ms`)
    }
  }
}

async function isIdle(page: Page, deadline: number): Promise<boolean> {
  const timeout = Promise.withResolvers<false>()
  const timer = setTimeout(() => timeout.resolve(false), Math.max(0, deadline - performance.now()))
  try {
    return await Promise.race([page.evaluate(WAIT_UNTIL_IDLE).then(() => true), timeout.promise])
  } catch (error) {
    // A navigation replaces the document that was waited for.
    if (page.isClosed() || String(error).includes('Execution context was destroyed')) return page.isClosed()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A new in-process instance on a real port. @param port default: a free one */
export async function openInstanceServer(options: InstanceOptions = {}, port = 0) {
  const instance: Instance = await openInstance(options)
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    // As in the server: live streams are silent for up to 15 seconds.
    idleTimeout: 120,
    async fetch(request) {
      const response = await instance.fetch(request)
      // The portal follows the server's clock, which is that of the test.
      response.headers.set('date', new Date(instance.clock.now()).toUTCString())
      return response
    },
  })
  return {
    instance,
    origin: server.url.origin,
    /** The session cookie of a browser. */
    cookie: (token: string) => ({
      name: 'reeve_session',
      value: token,
      url: server.url.origin,
      httpOnly: true,
    }),
    async close() {
      await server.stop(true)
      await instance.close()
    },
  }
}

export type InstanceServer = Awaited<ReturnType<typeof openInstanceServer>>

/**
 * Opens a page in a context of its own and records its requests and errors. With reduced motion, because a test clicks faster than
 * a person and would otherwise click on elements that still move.
 * @param prepare runs before the navigation
 */
export async function openTab(
  contexts: ContextSource,
  url: string,
  options: BrowserContextOptions = {},
  cookies: Parameters<BrowserContext['addCookies']>[0] = [],
  prepare: (page: Page) => Promise<unknown> = async () => {},
) {
  const context = await contexts.newContext({ reducedMotion: 'reduce', ...options })
  await context.addCookies(cookies)
  const page = await (contexts.openPage?.(context) ?? context.newPage())
  const loadingScripts = new Set<Request>()
  openPages.set(page, loadingScripts)
  page.on('close', () => openPages.delete(page))
  page.on('request', (request) => request.resourceType() === 'script' && loadingScripts.add(request))
  page.on('requestfinished', (request) => loadingScripts.delete(request))
  page.on('requestfailed', (request) => loadingScripts.delete(request))
  const requestedUrls: string[] = []
  const pageErrors: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  page.on('websocket', (socket) => requestedUrls.push(socket.url()))
  page.on('pageerror', (error) => pageErrors.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      pageErrors.push(`${message.type()}: ${message.text()}`)
    }
  })
  await page.addInitScript({ content: TRACK_ACTIVITY })
  await page.addInitScript({
    content: `globalThis.violations = []
      document.addEventListener('securitypolicyviolation', (event) => {
        violations.push(event.violatedDirective + ' ' + event.blockedURI)
      })`,
  })
  await prepare(page)
  await page.goto(url)
  const { origin } = new URL(url)
  return {
    page,
    context,
    requestedUrls,
    pageErrors,
    listCspViolations: () => page.evaluate<string[]>('violations'),
    /** Requests to another origin. `data:` and `blob:` URLs never leave the browser. */
    listCrossOriginRequests: () =>
      requestedUrls.filter(
        (requestedUrl) =>
          !/^(data|blob|about):/.test(requestedUrl) && new URL(requestedUrl).origin !== origin,
      ),
    close: () => endContext(contexts, context),
  }
}

export type Tab = Awaited<ReturnType<typeof openTab>>
