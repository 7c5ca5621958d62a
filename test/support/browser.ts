import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { type Instance, openInstance } from './instance.ts'

/** A browser without a window of its own, which takes half the time of one with, and that asks nobody for anything by itself. */
export const openBrowser = () =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })

/** A fresh instance on a real port. */
export async function openInstanceServer() {
  const instance: Instance = await openInstance()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // As the program has it: the streams of changes say nothing for a quarter of a minute.
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
 * Opens a page in a context of its own, and gathers what it asks for and complains of. Its reader has asked for less motion:
 * what is clicked on stands still then, where a machine clicks sooner than a person would.
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
    /** What would leave the browser for another host: the content of `data:` and `blob:` addresses does not. */
    listCrossOriginRequests: () =>
      requestedUrls.filter(
        (requestedUrl) =>
          !/^(data|blob|about):/.test(requestedUrl) && new URL(requestedUrl).origin !== origin,
      ),
    close: () => context.close(),
  }
}
