import { ASSET_PATH } from '@reeve/portal/paths'
import type { Page } from 'playwright-core'
import { type ContextSource, openTab, settlePages } from '../../support/browser.ts'
import type { FirstScreen, FirstScreens } from '../../support/first-screens.ts'
import { waitUntil } from '../../support/page-actions.ts'
import { observeVitals, readVitals, sumLayoutShifts, waitForFirstPaint } from '../../support/page-vitals.ts'

/** A phone on a slow mobile connection. */
export const conditions = {
  width: 390,
  height: 844,
  downloadBitsPerSecond: 1_600_000,
  uploadBitsPerSecond: 750_000,
  latencyMs: 150,
  cpuSlowdown: 4,
} as const

/** How long a throttled screen may take, in milliseconds. */
const LOAD_LIMIT_MS = 60_000

/** What a screen requests until it shows its data. */
export interface Weight {
  readonly requests: number
  /** Bytes of all responses with their headers, compressed with gzip. */
  readonly bytes: number
  /** Bytes of the scripts alone. */
  readonly scriptBytes: number
  /** Each request with its path. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
}

export interface Timing {
  readonly firstPaint: number
  readonly largestPaint: number
  readonly largestElement: string
  readonly layoutShift: number
}

/** The size of a response for a client that accepts gzip only. Chromium cannot be told to. */
async function measureGzip(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
  return (await response.bytes()).length
}

/** Counts the requests of a page. The stream of live updates counts as one without bytes, because it never ends. */
async function countTraffic(page: Page): Promise<() => Promise<Weight>> {
  const client = await page.context().newCDPSession(page)
  const requests = new Map<string, { readonly url: string; bytes: number }>()
  client.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    if (/^https?:/.test(url)) requests.set(requestId, { url, bytes: 0 })
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request) request.bytes = encodedDataLength
  })
  await client.send('Network.enable')
  return async () => {
    const all = await Promise.all(
      [...requests.values()].map(async ({ url, bytes }) => {
        const path = new URL(url).pathname
        return { path, bytes: path.startsWith(ASSET_PATH) ? await measureGzip(url) : bytes }
      }),
    )
    const sumBytes = (list: typeof all) => list.reduce((sum, { bytes }) => sum + bytes, 0)
    return {
      requests: all.length,
      bytes: sumBytes(all),
      scriptBytes: sumBytes(all.filter(({ path }) => path.endsWith('.js'))),
      files: all,
    }
  }
}

async function throttle(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: conditions.latencyMs,
    downloadThroughput: conditions.downloadBitsPerSecond / 8,
    uploadThroughput: conditions.uploadBitsPerSecond / 8,
  })
  await client.send('Emulation.setCPUThrottlingRate', { rate: conditions.cpuSlowdown })
}

/**
 * Opens a screen with an empty cache and waits until it shows its data.
 * @param isPainted what to wait for first
 */
async function openScreen(
  browser: ContextSource,
  screens: FirstScreens,
  screen: FirstScreen,
  prepare: (page: Page) => Promise<unknown>,
  isPainted?: Promise<unknown>,
) {
  const options = { viewport: { width: conditions.width, height: conditions.height }, hasTouch: true }
  const tab = await openTab(browser, screen.url, options, screens.cookies(screen), prepare)
  await isPainted
  await tab.page.getByRole('heading', { level: 1 }).waitFor({ timeout: LOAD_LIMIT_MS })
  await waitUntil(tab.page, '!document.querySelector("[aria-busy=true]")', LOAD_LIMIT_MS)
  await settlePages(LOAD_LIMIT_MS)
  return tab
}

/**
 * Runs in the page before its scripts: what is loaded a second or more after the screen is shown does not belong to it, and neither does what is
 * loaded because a pointer moves, which a browser also reports when a page appears below one that stands still.
 */
const ONLY_THE_SCREEN = `{
  const { setTimeout } = globalThis
  globalThis.setTimeout = (handler, delay, ...args) => delay >= 1000 ? 0 : setTimeout(handler, delay, ...args)
  for (const type of ['pointermove', 'pointerover', 'mousemove', 'mouseover'])
    addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true })
}`

/** Measures what a screen requests. The result does not depend on the speed of the machine. */
export async function measureWeight(
  browser: ContextSource,
  screens: FirstScreens,
  screen: FirstScreen,
): Promise<Weight> {
  const traffic = Promise.withResolvers<() => Promise<Weight>>()
  const tab = await openScreen(browser, screens, screen, async (page) => {
    await page.addInitScript({ content: ONLY_THE_SCREEN })
    traffic.resolve(await countTraffic(page))
  })
  const weight = await (await traffic.promise)()
  await tab.close()
  return weight
}

/** Measures how fast a screen is painted under the conditions. */
export async function measureTiming(
  browser: ContextSource,
  screens: FirstScreens,
  screen: FirstScreen,
): Promise<Timing> {
  const painted = Promise.withResolvers<unknown>()
  const prepare = async (page: Page) => {
    await observeVitals(page)
    await throttle(page)
    waitForFirstPaint(page, LOAD_LIMIT_MS).then(painted.resolve, painted.reject)
  }
  const tab = await openScreen(browser, screens, screen, prepare, painted.promise)
  const vitals = await readVitals(tab.page)
  await tab.close()
  return {
    firstPaint: vitals.firstPaint,
    largestPaint: vitals.largestPaint,
    largestElement: vitals.largestElement,
    layoutShift: sumLayoutShifts(vitals),
  }
}
