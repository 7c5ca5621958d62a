import type { Locator, Page } from 'playwright-core'

/**
 * Makes the page tap the middle of an element as soon as the next row of its list is added or removed.
 * @param list contains the rows
 * @param isShown whether the browser shows the change before the tap; otherwise nobody could have seen it
 * @returns a function that waits for the tap
 */
export async function tapOnNextChange(
  page: Page,
  list: Locator,
  target: Locator,
  isShown = false,
): Promise<() => Promise<void>> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element to tap is not shown')
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await list.evaluate(
    (element, { x, y, frames }) => {
      const tap = (framesLeft: number): void => {
        if (framesLeft > 0) return void requestAnimationFrame(() => tap(framesLeft - 1))
        const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })
        document.elementFromPoint(x, y)?.dispatchEvent(click)
        document.body.dataset.tapped = 'true'
      }
      new MutationObserver((_, observer) => {
        observer.disconnect()
        tap(frames)
      }).observe(element, { childList: true })
    },
    // A frame is shown once the next one begins.
    { ...point, frames: isShown ? 2 : 0 },
  )
  return () => page.locator('body[data-tapped]').waitFor()
}
