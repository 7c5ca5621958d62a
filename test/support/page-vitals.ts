import type { Page } from 'playwright-core'

/** One element that moved. */
export interface LayoutShift {
  readonly score: number
  /** The elements that moved, as text. */
  readonly moved: readonly string[]
}

/** What the browser measured on a page, in milliseconds since the navigation. */
export interface Vitals {
  readonly firstPaint: number
  /** When the largest text or image so far was painted, and what it is. */
  readonly largestPaint: number
  readonly largestElement: string
  readonly layoutShifts: readonly LayoutShift[]
}

/** What the page logs when it has painted a text or an image for the first time. */
const FIRST_PAINT = 'first contentful paint'

/** Runs in the page before its scripts. */
const OBSERVE_VITALS = `{
  const vitals = { firstPaint: 0, largestPaint: 0, largestElement: '', layoutShifts: [] }
  globalThis.vitals = vitals
  const describe = (node) => {
    if (!(node instanceof Element)) return node?.parentElement ? describe(node.parentElement) : 'removed'
    return node.tagName.toLowerCase() + ' "' + (node.textContent ?? '').trim().slice(0, 40) + '"'
  }
  const observe = (type, handle) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name !== 'first-contentful-paint') return
    vitals.firstPaint = startTime
    console.debug('${FIRST_PAINT}')
  })
  observe('largest-contentful-paint', ({ startTime, element }) => {
    vitals.largestPaint = startTime
    vitals.largestElement = describe(element)
  })
  observe('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    const moved = sources.map(({ node, previousRect, currentRect }) =>
      describe(node) + ' ' + previousRect.top.toFixed() + '→' + currentRect.top.toFixed())
    vitals.layoutShifts.push({ score: value, moved })
  })
}`

/** Makes the next navigation of a page record its vitals. */
export const observeVitals = (page: Page): Promise<unknown> => page.addInitScript({ content: OBSERVE_VITALS })

/**
 * Waits until a page that records its vitals has painted something. Nothing runs in the page meanwhile: to look for an element
 * again and again takes a slow phone a tenth of the time that is measured.
 */
export const waitForFirstPaint = (page: Page, timeout: number): Promise<unknown> =>
  page.waitForEvent('console', { predicate: (message) => message.text() === FIRST_PAINT, timeout })

export const readVitals = (page: Page): Promise<Vitals> => page.evaluate<Vitals>('vitals')

/** The sum of all shifts: at least the cumulative layout shift, which counts those of one second only. */
export const sumLayoutShifts = ({ layoutShifts }: Vitals): number =>
  layoutShifts.reduce((sum, { score }) => sum + score, 0)
