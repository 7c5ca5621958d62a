import type { Page } from 'playwright-core'
import { waitUntil } from './page-actions.ts'

type Point = readonly [x: number, y: number]

const moveHandle = (page: Page, name: string) =>
  page.getByRole('button', { name: `Move ${name}`, exact: true })

/** The center of the handle that moves an item of a list. */
export async function findHandleCenter(page: Page, name: string): Promise<Point> {
  const box = await moveHandle(page, name).boundingBox()
  if (!box) throw new Error(`the handle of ${name} is not visible`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** Drags an item over another with the mouse, without dropping it. */
export async function dragWithMouse(page: Page, name: string, target: string): Promise<void> {
  await moveHandle(page, target).waitFor()
  const [startX, startY] = await findHandleCenter(page, name)
  await page.mouse.move(startX, startY)
  const [x, y] = await findHandleCenter(page, target)
  await page.mouse.down()
  await page.mouse.move(x, y, { steps: 4 })
  await page.locator('[data-dragged]').waitFor()
}

const IS_CLICK_HEARD = `(() => {
  let isHeard = false
  const root = document.documentElement
  root.addEventListener('click', () => { isHeard = true }, { once: true })
  root.dispatchEvent(new MouseEvent('click'))
  return isHeard
})()`

/** Drops what the mouse drags. The list swallows the clicks of the next 50 ms, so that a drop does not press what is below it. */
export async function dropWithMouse(page: Page): Promise<void> {
  await page.mouse.up()
  await waitUntil(page, IS_CLICK_HEARD)
}

/**
 * A finger on the screen: what the browser makes of its touches, such as scrolling, is up to the page. It rests before it is
 * lifted, because a browser ignores the first tap after a fling.
 */
export async function openFinger(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  /** Of the touches, in seconds: a move takes a tenth of a second. */
  let timestamp = Date.now() / 1000
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    ...touchPoints: { x: number; y: number }[]
  ) => {
    timestamp += 0.1
    return cdp.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp })
  }
  return {
    /** Puts the finger down at a point and moves it to another one. */
    async drag([x, start]: Point, [, end]: Point): Promise<void> {
      await touch('touchStart', { x, y: start })
      for (const share of [0.1, 0.25, 0.5, 0.75, 0.99, 1, 1, 1])
        await touch('touchMove', { x, y: start + (end - start) * share })
    },
    async lift(): Promise<void> {
      await touch('touchEnd')
      await waitUntil(page, IS_CLICK_HEARD)
    },
  }
}
