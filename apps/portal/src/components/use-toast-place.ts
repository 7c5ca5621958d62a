import { useLayoutEffect } from 'react'
import { dialogFooters } from './use-dialog-edges.ts'

/** The space around toasts, in pixels. */
const MARGIN = 16
/** The width that a text and an undo button need, in pixels. */
const MIN_WIDTH = 240

const pageStyle = document.documentElement.style

/** Shows toasts where they are without a dialog. */
function resetPlace(): void {
  pageStyle.removeProperty('--reeve-toast-bottom')
  pageStyle.removeProperty('--reeve-toast-width')
}

/** Shows toasts beside a dialog or below it, or else above its footer. */
function placeToasts(toasts: HTMLElement, dialog: HTMLElement, footer: HTMLElement): void {
  resetPlace()
  // Where the dialog is once it is open: it may still move.
  const beside = (window.innerWidth - dialog.offsetWidth) / 2 - 2 * MARGIN
  const below = window.innerHeight - dialog.offsetTop - dialog.offsetHeight
  const usualTop = Number.parseFloat(getComputedStyle(toasts).bottom) + toasts.offsetHeight
  if (beside >= MIN_WIDTH) pageStyle.setProperty('--reeve-toast-width', `${beside}px`)
  else if (below < usualTop + MARGIN) {
    const highest = window.innerHeight - toasts.offsetHeight - MARGIN
    const bottom = Math.min(below + footer.offsetHeight + MARGIN, highest)
    pageStyle.setProperty('--reeve-toast-bottom', `${bottom}px`)
  }
}

/**
 * Keeps toasts off the buttons of the topmost dialog.
 * @param selector selects the element that contains the toasts
 */
export function useToastPlace(selector: string): void {
  const footer = dialogFooters.useValue().at(-1)
  useLayoutEffect(() => {
    const dialog = footer?.closest<HTMLElement>('.mantine-Modal-content')
    const toasts = document.querySelector<HTMLElement>(selector)
    if (!footer || !dialog || !toasts) return
    const observer = new ResizeObserver(() => placeToasts(toasts, dialog, footer))
    for (const element of [document.documentElement, toasts, dialog, footer]) observer.observe(element)
    return () => {
      observer.disconnect()
      resetPlace()
    }
  }, [footer, selector])
}
