import type { Locator, Page } from 'playwright-core'
import { WAIT_MS } from './page-actions.ts'

type Point = Readonly<{ x: number; y: number }>

/** The middle of an element, in pixels from the top left of the window. */
export async function findMiddle(target: Locator): Promise<Point> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element is not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/**
 * Makes a change, and taps or clicks in the moment in which the page shows it, before anybody could have seen that.
 * @param change what somebody else does
 * @param isShown whether the page shows it
 * @param press taps or clicks
 */
export async function pressAtChange(
  page: Page,
  change: () => Promise<unknown>,
  isShown: () => Promise<boolean>,
  press: () => Promise<unknown>,
): Promise<void> {
  // Its timers and frames stand still.
  await page.clock.install()
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1000'))
  await change()
  const deadline = performance.now() + WAIT_MS
  while (!(await isShown())) {
    if (performance.now() > deadline) throw new Error('the page does not show the change')
    await page.clock.runFor(5)
  }
  await press()
  await page.clock.resume()
}
