import type { Page } from 'playwright-core'
import { waitUntil } from './page-actions.ts'

/** The text size of a browser, in pixels, and that of a user who has doubled it. */
export const textSizes = { usual: 16, large: 32 } as const

/** Sets the text size as the user does in the settings of the browser. The page notices it when its window changes. */
export async function setTextSize(page: Page, standard: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard } })
  await devTools.detach()
}

/** What a user reads before acting. Fields scroll their text. */
const CONTROLS = 'button, a, label, [role=tab], [role=menuitem], .mantine-Badge-root'

/** Runs in the page. A name or a text that a user has written may end with an ellipsis. */
const FIND_CUT_TEXTS = `[...document.querySelectorAll(${JSON.stringify(CONTROLS)})].flatMap((control) => {
  const isOutside = (text, margin, element) => {
    const box = element.getBoundingClientRect()
    const { overflowX, overflowY, display } = getComputedStyle(element)
    const isBox = element === control && display !== 'inline'
    return (
      ((isBox || overflowX !== 'visible') && (text.left < box.left - 1.5 || text.right > box.right + 1.5)) ||
      ((isBox || overflowY !== 'visible') && (text.top < box.top - margin || text.bottom > box.bottom + margin))
    )
  }
  const isCut = (node) => {
    const parent = node.parentElement
    const range = document.createRange()
    range.selectNodeContents(node)
    const text = range.getBoundingClientRect()
    // What only a screen reader reads is a sixteenth of a letter wide.
    if (text.width === 0 || parent.offsetWidth <= 2) return false
    // The letters of a text can be higher than its line.
    const margin = parseFloat(getComputedStyle(parent).fontSize) * 0.3
    for (let element = parent; element !== document.body; element = element.parentElement) {
      const { overflow, textOverflow } = getComputedStyle(element)
      if (/auto|scroll/.test(overflow) || (textOverflow === 'ellipsis' && parent.closest('bdi'))) return false
      if (isOutside(text, margin, element)) return true
    }
    return false
  }
  if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
  const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
  const nodes = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  return nodes.filter((node) => node.data.trim() !== '' && isCut(node)).map((node) => node.data.trim())
})`

/** The texts of controls that are cut off on a page, even once its layout has settled. */
export async function findCutTexts(page: Page, settleMs: number): Promise<string[]> {
  try {
    await waitUntil(page, `${FIND_CUT_TEXTS}.length === 0`, settleMs)
    return []
  } catch {
    return (await page.evaluate<string[]>(FIND_CUT_TEXTS)).map((text) => `“${text}” is cut off`)
  }
}
