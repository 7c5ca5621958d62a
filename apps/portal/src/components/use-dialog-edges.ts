import { type RefObject, useLayoutEffect } from 'react'

/** The largest share of its dialog that a title or a footer may cover. */
const MAX_SHARE = 0.4
/** The space between what has the focus and the title or the footer, in pixels. */
const GAP = 8

/**
 * Keeps the title and the footer of a dialog from covering what has the focus: what has it scrolls out of their way, and in a low
 * window, or with large text, they scroll with the content.
 * @param footer inside the dialog
 */
export function useDialogEdges(footer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = footer.current?.closest<HTMLElement>('.mantine-Modal-content')
    if (!footer.current || !dialog) return
    const edges = [dialog.querySelector<HTMLElement>('.mantine-Modal-header'), footer.current]
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
    for (const element of [dialog, ...edges]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [footer])
}
