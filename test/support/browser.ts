import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { type Instance, openInstance } from './instance.ts'

/** A headless browser (half the run time of one with a window) that sends no background requests. */
export const openBrowser = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })

/** A new in-process instance on a real port. */
export async function openInstanceServer() {
  const instance: Instance = await openInstance()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // As in the server: live streams are silent for up to 15 seconds.
    idleTimeout: 120,
    fetch: (request) => instance.app.fetch(request),
  })
  return {
    instance,
    origin: server.url.origin,
    async close() {
      await server.stop(true)
      await instance.close()
    },
  }
}

export type InstanceServer = Awaited<ReturnType<typeof openInstanceServer>>

/**
 * Opens a page in a new context and records its requests and errors. With reduced motion, because a test clicks faster than
 * a person and would otherwise click on elements that still move.
 */
export async function openTab(
  browser: Awaited<ReturnType<typeof openBrowser>>,
  url: string,
  options: BrowserContextOptions = {},
  cookies: Parameters<BrowserContext['addCookies']>[0] = [],
) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.addCookies(cookies)
  const page = await context.newPage()
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
  await page.addInitScript({
    content: `globalThis.violations = []
      document.addEventListener('securitypolicyviolation', (event) => {
        violations.push(event.violatedDirective + ' ' + event.blockedURI)
      })`,
  })
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
    close: () => context.close(),
  }
}

export type Tab = Awaited<ReturnType<typeof openTab>>
