import type { Page } from 'playwright-core'

/** The side of what a finger hits, in pixels (WCAG 2.5.5), but for a pixel that two neighbors share. */
const MIN_TARGET = 44 - 1
/** The size of text in a field, in pixels, below which Safari on a phone zooms in on the field. */
const MIN_FIELD_TEXT = 16

/** What the user writes in or chooses from. */
const FIELDS = ':is(input:not([type=checkbox], [type=radio], [type=range]), select, textarea)'

/**
 * Runs in the page: what can be pressed in the topmost dialog, or on the page, and is too small, with the size of the area that reacts, up
 * to twice the minimum. Links in a sentence are excepted, because the space between lines limits them (WCAG 2.5.5 excepts them too), as
 * are the days of a chart, of which a tap selects one before it opens it.
 */
const FIND_SMALL_TARGETS = `(() => {
  const root = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
  const targets = root.querySelectorAll(':is(a[href], button, summary, [role=tab], [type=radio], [type=checkbox], [data-tap], ${FIELDS})')
  const isPartOfText = (element) =>
    getComputedStyle(element).display === 'inline' &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
  const isSkipped = (element) =>
    !element.checkVisibility({ visibilityProperty: true }) ||
    element.querySelector('[data-bar]') ||
    isPartOfText(element)
  return [...targets].flatMap((element) => {
    element.scrollIntoView({ block: 'center', inline: 'nearest' })
    // The link to the content is above the page until it has the focus.
    if (isSkipped(element) || element.getBoundingClientRect().bottom <= 0) return []
    // A field that shows the chosen values is part of a box that reacts, too.
    const parts = element.matches('${FIELDS}')
      ? [element.closest('.mantine-Input-wrapper') ?? element]
      : [element, ...(element.labels ?? [])]
    const { left, top, width, height } = parts[0].getBoundingClientRect()
    const reach = (stepX, stepY) => {
      let length = 0
      const reacts = () => {
        const hit = document.elementFromPoint(left + width / 2 + stepX * length, top + height / 2 + stepY * length)
        return hit !== null && parts.some((part) => part.contains(hit))
      }
      while (length < ${MIN_TARGET} && reacts()) length += 0.5
      return length
    }
    const [reactingWidth, reactingHeight] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)]
    if (reactingWidth >= ${MIN_TARGET} && reactingHeight >= ${MIN_TARGET}) return []
    const label = element.labels?.[0] ?? element
    const name = (element.getAttribute('aria-label') ?? label.textContent).trim()
    return [name + ': ' + reactingWidth + ' x ' + reactingHeight]
  })
})()`

/** Runs in the page: the fields on which a phone would zoom in, with the size of their text. */
const FIND_ZOOMING_FIELDS = `[...document.querySelectorAll('${FIELDS}')].flatMap((field) => {
  const size = parseFloat(getComputedStyle(field).fontSize)
  if (!field.checkVisibility() || field.ariaHidden || size >= ${MIN_FIELD_TEXT}) return []
  return [(field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent) + ': ' + size + ' px']
})`

/** What can be pressed in the topmost dialog, or on the page, but is too small for a finger: `Ban: 58 x 36`. */
export const findSmallTargets = (page: Page): Promise<string[]> => page.evaluate<string[]>(FIND_SMALL_TARGETS)

/** The fields on which a phone would zoom in, with the size of their text: `Reason: 14 px`. */
export const findZoomingFields = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(FIND_ZOOMING_FIELDS)
