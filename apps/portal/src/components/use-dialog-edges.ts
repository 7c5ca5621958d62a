import { type RefObject, useLayoutEffect } from 'react'
import { createStore } from '../app/store.ts'

/** The largest share of its dialog that a title or a footer may cover. */
const MAX_SHARE = 0.4
/** The space between what has the focus and the title or the footer, in pixels. */
const GAP = 8

/** The footers of the open dialogs, that of the topmost last. */
export const dialogFooters = createStore<readonly HTMLElement[]>([])

/**
 * Keeps the title and the footer of a dialog from covering what has the focus: what has it scrolls out of their way, and in a low
 * window, or with large text, they scroll with the content.
 * @param footer inside the dialog
 */
export function useDialogEdges(footer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = footer.current
    const dialog = element?.closest<HTMLElement>('.mantine-Modal-content')
    if (!element || !dialog) return
    const edges = [dialog.querySelector<HTMLElement>('.mantine-Modal-header'), element]
    const arrange = () => {
      const paddings = edges.map((edge) => {
        const height = edge?.offsetHeight ?? 0
        const isTooTall = height > MAX_SHARE * dialog.clientHeight
        edge?.toggleAttribute('data-too-tall', isTooTall)
        return `${(isTooTall ? 0 : height) + GAP}px`
      })
      dialog.style.setProperty('scroll-padding-block', paddings.join(' '))
    }
    const observer = new ResizeObserver(arrange)
    for (const observed of [dialog, ...edges]) if (observed) observer.observe(observed)
    dialogFooters.set([...dialogFooters.get(), element])
    return () => {
      observer.disconnect()
      dialogFooters.set(dialogFooters.get().filter((other) => other !== element))
    }
  }, [footer])
}
