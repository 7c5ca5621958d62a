import type { Page } from 'playwright-core'

/** WCAG 1.4.11 */
const MIN_CONTRAST = 3

/** Runs in the page: the parts of fields and choices, which axe does not check, whose contrast with what is behind them is too low. */
const FIND_FAINT_CONTROLS = `(() => {
  const TRANSPARENT = [0, 0, 0, 0]
  const parse = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+(?:e-?\\d+)?/g)?.map(Number) ?? TRANSPARENT
    const scale = color.startsWith('color(') ? 255 : 1
    return [red * scale, green * scale, blue * scale, alpha]
  }
  const readBackground = (element) => {
    if (element === null) return [255, 255, 255]
    const [red, green, blue, alpha] = parse(getComputedStyle(element).backgroundColor)
    if (alpha === 1) return [red, green, blue]
    const behind = readBackground(element.parentElement)
    return [red, green, blue].map((part, index) => part * alpha + behind[index] * (1 - alpha))
  }
  const getLuminance = (color) => {
    const [red, green, blue] = color.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const getContrast = (one, other) => {
    const [light, dark] = [getLuminance(one), getLuminance(other)].sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }
  const readEdge = (element) => {
    // The search field of a list has no other edge.
    const { borderBottomWidth, borderBottomColor } = getComputedStyle(element)
    return parseFloat(borderBottomWidth) === 0 ? readBackground(element) : parse(borderBottomColor).slice(0, 3)
  }
  const readBar = (element) => {
    const { content, backgroundColor } = getComputedStyle(element, '::before')
    return content === 'none' ? readBackground(element) : parse(backgroundColor).slice(0, 3)
  }
  const parts = [
    ['.mantine-Input-wrapper[data-variant=default] > .mantine-Input-input', 'edge', readEdge, (element) => element.parentElement],
    [':is(.mantine-Checkbox-input, .mantine-Radio-radio)', 'edge', readEdge, (element) => element.parentElement],
    [':is(.mantine-Checkbox-input, .mantine-Radio-radio):checked + svg', 'mark', (element) => parse(getComputedStyle(element).color).slice(0, 3), (element) => element.previousElementSibling],
    ['.mantine-SegmentedControl-indicator', 'edge', readEdge, (element) => element.parentElement],
    ['nav[aria-label=Inbox] > [aria-current]', 'edge', readEdge, (element) => element.parentElement],
    ['nav[aria-label="Main sections"] > :is([aria-current], [data-current])', 'bar', readBar, (element) => element.parentElement],
    ['[data-bar]', 'color', readBackground, (element) => element.parentElement],
    ['[data-series]:empty', 'color', readBackground, (element) => element.parentElement.parentElement],
    ['[data-series=succeeded]:empty + [data-series=refused]:empty', 'difference', readBackground, (element) => element.previousElementSibling],
    ['[data-series]:not(:empty)', 'key', readBar, (element) => element],
    ['.mantine-Switch-track', 'track', readBackground, (element) => element.parentElement],
    ['.mantine-Switch-thumb', 'thumb', readBackground, (element) => element.parentElement],
  ]
  return parts.flatMap(([selector, name, readColor, findBehind]) =>
    [...document.querySelectorAll(selector)].flatMap((element) => {
      const control = element.closest('.mantine-Input-wrapper, .mantine-Switch-root') ?? element.parentElement
      const isUsable = control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !control.querySelector(':disabled, [data-disabled]')
      const contrast = getContrast(readColor(element), readBackground(findBehind(element)))
      return isUsable && contrast < ${MIN_CONTRAST} ? [name + ' of ' + selector + ' at ' + contrast.toFixed(2)] : []
    }),
  )
})()`

/** The parts of controls that are hard to see, even once their colors have faded in. */
export async function findFaintControls(page: Page): Promise<string[]> {
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
  return [...new Set(await page.evaluate<string[]>(FIND_FAINT_CONTROLS))]
}
