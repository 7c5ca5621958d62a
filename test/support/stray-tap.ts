import type { Locator, Page } from 'playwright-core'

/**
 * Makes the page tap the middle of an element as soon as the next row of its list is added or removed, before anybody could have
 * seen it.
 * @param list contains the rows
 * @returns a function that waits for the tap
 */
export async function tapOnNextChange(
  page: Page,
  list: Locator,
  target: Locator,
): Promise<() => Promise<void>> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('the element to tap is not shown')
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await list.evaluate((element, { x, y }) => {
    new MutationObserver((_, observer) => {
      observer.disconnect()
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })
      document.elementFromPoint(x, y)?.dispatchEvent(click)
      document.body.dataset.tapped = 'true'
    }).observe(element, { childList: true })
  }, point)
  return () => page.locator('body[data-tapped]').waitFor()
}
